import type { UseQueryResult } from "@tanstack/react-query";

import * as lottery from "#contract/calendar-lottery.ts";
import { dismissCalendarNotices } from "#contract/calendar-notices.ts";
import * as contract from "#contract/christmas-calendar.ts";
import type { OpenedImages } from "#contract/christmas-calendar.ts";
import { call } from "#web/data/api.ts";
import { queryClient, reload, useReply } from "#web/data/query-client.ts";

/** Loads the doors of a past calendar; `null` means the current calendar. */
export function useDoors(year: number | null): UseQueryResult<OpenedImages> {
  const request = year === null ? {} : { query: { year: String(year) } };
  return useReply(contract.getOpenedImages, { queryKey: doorsKey(year), request });
}

/** Opens the door of a date and stores its picture in the cached calendar of `year`. */
export async function openDoorOf(date: string, year: number | null): Promise<void> {
  const opened = await call(contract.openDoor, { params: { date } });
  const queryKey = doorsKey(year);
  queryClient.setQueryData<OpenedImages>(
    queryKey,
    (doors) => doors && { ...doors, images: doors.images.map((image) => (image.date === date ? opened : image)) },
  );
  // A request in flight may return the calendar as it was before this door was opened, so the
  // request is repeated.
  if (queryClient.isFetching({ queryKey }) > 0) void reload(queryKey);
  void reloadOwnDoors();
}

/**
 * Text below the picture of a door ("" for none). `isHidden` is `true` if the member's name is not
 * shown.
 */
export interface DoorWords {
  readonly text: string;
  readonly isHidden: boolean;
}

/** Uploads a picture for one of the member's doors. */
export async function fillOwnDoor(date: string, picture: Blob, { text, isHidden }: DoorWords): Promise<string> {
  const body = new FormData();
  // Text fields come before the picture, because the server reads the fields in order.
  body.set("text", text.trim());
  body.set("is_hidden", isHidden ? "1" : "0");
  body.set("picture", picture);
  return change(call(contract.fillOwnDoor, { params: { date }, body }));
}

/**
 * Changes the text or the visibility of the name at one of the member's doors. `text` must be
 * omitted once the day of the door has begun.
 */
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

/** Restores the picture that the member or an administrator has removed from the door. */
export function restoreOwnDoor(date: string): Promise<string> {
  return change(call(contract.restoreOwnDoor, { params: { date } }));
}

export async function dismissNotices(lastId: number): Promise<void> {
  await call(dismissCalendarNotices, { params: { id: lastId } });
  await reloadDoors();
}

const calendarKey = ["christmas-calendar"];

function doorsKey(year: number | null): readonly unknown[] {
  return [...calendarKey, year];
}

/** Refetches the calendar data of the components on the screen. */
export function reloadDoors(): Promise<unknown> {
  return reload(calendarKey);
}

/**
 * Loads the member's own doors with swap offers, drawn doors and reminders. The counter page uses
 * the same cache entry.
 */
export function useOwnDoors(isEnabled: boolean): UseQueryResult<lottery.OwnDoors> {
  return useReply(lottery.getOwnDoors, {
    queryKey: [...calendarKey, "own"],
    enabled: isEnabled,
    staleTime: 60_000,
    kept: { name: "own-doors" },
  });
}

/** Marks drawn doors and due reminders as seen, so that no page shows them again. */
export async function markOwnDoorsSeen(): Promise<void> {
  await call(lottery.markOwnDoorsSeen, {});
  await reloadOwnDoors();
}

export function reloadOwnDoors(): Promise<unknown> {
  return reload([...calendarKey, "own"]);
}

export function useSwapPartners(): UseQueryResult<lottery.SwapPartner[]> {
  return useReply(lottery.getSwapPartners, { queryKey: [...calendarKey, "partners"] });
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

/**
 * Awaits a change and refetches the doors. Refetches even if the server refuses, because the page
 * may have been stale.
 */
async function change(reply: Promise<{ readonly message: string }>): Promise<string> {
  try {
    return (await reply).message;
  } finally {
    await reloadDoors();
  }
}
