import type { UseQueryResult } from "@tanstack/react-query";

import * as lottery from "#contract/calendar-lottery.ts";
import { dismissCalendarNotices } from "#contract/calendar-notices.ts";
import * as contract from "#contract/christmas-calendar.ts";
import type { OpenedImages } from "#contract/christmas-calendar.ts";
import { call } from "#web/platform/api.ts";
import { queryClient, reload, useReply } from "#web/platform/query-client.ts";

/** The doors of the calendar that is on now (`year` null) or of a past one. */
export function useDoors(year: number | null): UseQueryResult<OpenedImages> {
  const request = year === null ? {} : { query: { year: String(year) } };
  return useReply(contract.getOpenedImages, { queryKey: doorsKey(year), request });
}

/** Opens the door of a day and keeps what is behind it with the doors of `year`. */
export async function openDoorOf(date: string, year: number | null): Promise<void> {
  const opened = await call(contract.openDoor, { params: { date } });
  const queryKey = doorsKey(year);
  queryClient.setQueryData<OpenedImages>(
    queryKey,
    (doors) => doors && { ...doors, images: doors.images.map((image) => (image.date === date ? opened : image)) },
  );
  // An answer that is on its way may be from before.
  if (queryClient.isFetching({ queryKey }) > 0) void reload(queryKey);
}

/** Words of an own door: the line below the picture, "" for none, and whether the others are told whose it is. */
export interface DoorWords {
  readonly text: string;
  readonly isHidden: boolean;
}

/** Puts a picture behind an own door. */
export async function fillOwnDoor(date: string, picture: Blob, { text, isHidden }: DoorWords): Promise<string> {
  const body = new FormData();
  // In front of the picture, and so read before it.
  body.set("text", text.trim());
  body.set("is_hidden", isHidden ? "1" : "0");
  body.set("picture", picture);
  return change(call(contract.fillOwnDoor, { params: { date }, body }));
}

/** `text` is left out once the day has begun. */
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

/** Hangs the picture again that was taken down. */
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

/** Refetches everything about doors that is on the screen. */
export function reloadDoors(): Promise<unknown> {
  return reload(calendarKey);
}

/** The member's own doors, and what there is to say about them; also on the counter page. */
export function useOwnDoors(isEnabled: boolean): UseQueryResult<lottery.OwnDoors> {
  return useReply(lottery.getOwnDoors, {
    queryKey: [...calendarKey, "own"],
    enabled: isEnabled,
    staleTime: 60_000,
    kept: { name: "own-doors" },
  });
}

/** Records that this page has shown what was drawn and what is due. */
export async function markOwnDoorsSeen(): Promise<void> {
  await call(lottery.markOwnDoorsSeen, {});
  await reloadOwnDoors();
}

/** Refetches the member's own doors. */
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

/** Withdraws an own offer, or declines another member's. */
export function endSwap(id: number): Promise<string> {
  return change(call(lottery.endSwap, { params: { id } }));
}

/** Also after a refusal the doors are refetched: then they are not as the page shows them. */
async function change(reply: Promise<{ readonly message: string }>): Promise<string> {
  try {
    return (await reply).message;
  } finally {
    await reloadDoors();
  }
}
