import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";

import { openDoorsChanged, ownDoorsChanged } from "#contract/calendar-events.ts";
import * as lottery from "#contract/calendar-lottery.ts";
import { dismissCalendarNotices, getCalendarNotices } from "#contract/calendar-notices.ts";
import * as contract from "#contract/christmas-calendar.ts";
import type { OpenedImages } from "#contract/christmas-calendar.ts";
import { call } from "#web/client/api.ts";
import { whenVisible, subscribe } from "#web/client/realtime.ts";
import { queryClient, reload, useReply } from "#web/data/query-client.ts";
import { showMessage } from "#web/page/messages.tsx";
import { useMember } from "#web/page/session.ts";
import { navigate } from "#web/router/navigation.ts";

const calendarKey = ["christmas-calendar"];

function doorsKey(year: number | null): readonly unknown[] {
  return [...calendarKey, year];
}

/** Loads the doors of a past calendar; `null` means the current calendar. */
export function useDoors(year: number | null): UseQueryResult<OpenedImages> {
  const request = year === null ? {} : { query: { year: String(year) } };
  return useReply(contract.getOpenedImages, { queryKey: doorsKey(year), request });
}

/** The member's doors with swap offers, drawn doors and reminders. The counter uses the same cache entry. */
export function useOwnDoors(isEnabled: boolean): UseQueryResult<lottery.OwnDoors> {
  return useReply(lottery.getOwnDoors, {
    queryKey: [...calendarKey, "own"],
    enabled: isEnabled,
    staleTime: 60_000,
    kept: { name: "own-doors" },
  });
}

export function useSwapPartners(): UseQueryResult<lottery.SwapPartner[]> {
  return useReply(lottery.getSwapPartners, { queryKey: [...calendarKey, "partners"] });
}

function reloadDoors(): Promise<unknown> {
  return reload(calendarKey);
}

function reloadOwnDoors(): Promise<unknown> {
  return reload([...calendarKey, "own"]);
}

export async function openDoorOf(date: string, year: number | null): Promise<void> {
  const opened = await call(contract.openDoor, { params: { date } });
  const queryKey = doorsKey(year);
  queryClient.setQueryData<OpenedImages>(
    queryKey,
    (doors) => doors && { ...doors, images: doors.images.map((image) => (image.date === date ? opened : image)) },
  );
  // A request in flight may return the calendar as it was before this door was opened.
  if (queryClient.isFetching({ queryKey }) > 0) void reload(queryKey);
  void reloadOwnDoors();
}

/** Refetches even if the server refuses, because the page may have been stale. */
async function change(reply: Promise<{ readonly message: string }>): Promise<string> {
  try {
    return (await reply).message;
  } finally {
    await reloadDoors();
  }
}

export interface DoorWords {
  /** "" for none. */
  readonly text: string;
  /** `true` if others do not see the member's name. */
  readonly isHidden: boolean;
}

export function fillOwnDoor(date: string, picture: Blob, { text, isHidden }: DoorWords): Promise<string> {
  const body = new FormData();
  // Text fields come before the picture, because the server reads the fields in order.
  body.set("text", text.trim());
  body.set("is_hidden", isHidden ? "1" : "0");
  body.set("picture", picture);
  return change(call(contract.fillOwnDoor, { params: { date }, body }));
}

/** `text` must be omitted once the day of the door has begun. */
export function changeOwnDoor(date: string, { text, isHidden }: Partial<DoorWords>): Promise<string> {
  const body = {
    ...(text !== undefined && { text: text.trim() || null }),
    ...(isHidden !== undefined && { is_hidden: isHidden }),
  };
  return change(call(contract.changeOwnDoor, { params: { date }, body }));
}

export function emptyOwnDoor(date: string): Promise<string> {
  return change(call(contract.emptyOwnDoor, { params: { date } }));
}

export function restoreOwnDoor(date: string): Promise<string> {
  return change(call(contract.restoreOwnDoor, { params: { date } }));
}

export function offerSwap(date: string, memberId: number): Promise<string> {
  return change(call(lottery.offerSwap, { body: { date, member_id: memberId } }));
}

export function acceptSwap(id: number, date: string): Promise<string> {
  return change(call(lottery.acceptSwap, { params: { id }, body: { date } }));
}

/** Withdraws the member's swap offer, or declines another member's offer. */
export function endSwap(id: number): Promise<string> {
  return change(call(lottery.endSwap, { params: { id } }));
}

export async function dismissNotices(lastId: number): Promise<void> {
  await call(dismissCalendarNotices, { params: { id: lastId } });
  await reloadDoors();
}

/** Marks drawn doors and due reminders as seen, so that no page shows them again. */
export async function markOwnDoorsSeen(): Promise<void> {
  await call(lottery.markOwnDoorsSeen, {});
  await reloadOwnDoors();
}

/** Links to the calendar page unless that page is open. */
export function showDoorsFlash(text: string): void {
  const action = { label: "Ansehen", run: () => navigate("/christmas-calendar") };
  showMessage({ type: "info", text, ...(location.pathname !== "/christmas-calendar" && { action }) });
}

/** Refetches the open calendar page when others open doors or upload late pictures. */
export function useOpenDoorsLive(): void {
  useEffect(() => {
    const onChange = (): void => void reloadDoors();
    return subscribe(openDoorsChanged, { onEvent: onChange, onSubscribed: onChange });
  }, []);
}

/** Refetches and tells changes of the member's doors on every page. Paused members are told nothing. */
export function useOwnDoorsLive(): void {
  const user = useMember();
  const isPaused = user?.is_paused === true;
  const lastShown = useRef(0);
  const showNotices = useEffectEvent(async () => {
    if (isPaused) return;
    const notices = await call(getCalendarNotices).catch(() => []);
    const newest = notices.at(-1);
    if (newest === undefined || newest.id <= lastShown.current) return;
    lastShown.current = newest.id;
    showDoorsFlash(newest.text);
  });
  const onEvent = useEffectEvent(({ message }: { message: string | null }) => {
    void reloadDoors();
    if (message === null) void showNotices();
    else if (!isPaused) showDoorsFlash(message);
  });
  useEffect(() => {
    const refetch = (): void => {
      void reloadOwnDoors();
      void showNotices();
    };
    return subscribe(ownDoorsChanged, { onEvent, onSubscribed: () => whenVisible(refetch) });
  }, []);
}
