import type { UseQueryResult } from "@tanstack/react-query";

import * as calendar from "#contract/calendar-doors.ts";
import {
  type CalendarDealings,
  type DealingPreview,
  getCalendarDealings,
  previewDealing,
} from "#contract/calendar-lottery.ts";
import { deleteCalendarAudio, setCalendarAudio } from "#contract/calendar-music.ts";
import type { Endpoint, ReplyOf } from "#contract/endpoint.ts";
import { adminKey, change, reloadAdmin } from "#web/admin/api.ts";
import { call, type CallOptions } from "#web/data/api.ts";
import { reload, useReply } from "#web/data/query-client.ts";
import type { CalendarDay } from "./admin-rules.ts";

const calendarKey = [...adminKey, "calendar"];

/**
 * Changes a calendar door. Refetches the calendar even if the server refuses, because the page may
 * have been stale.
 */
export async function changeDoor<E extends Endpoint>(
  endpoint: ReplyOf<E> extends { readonly message: string } ? E : never,
  options: CallOptions<E>,
): Promise<string> {
  try {
    return await change(endpoint, options);
  } catch (error) {
    await reloadCalendar();
    throw error;
  }
}

/** Requests that this administrator sees a member's picture before the day of its door. */
export async function revealPicture({ date, version }: CalendarDay): Promise<void> {
  const revealed = call(calendar.revealCalendarPicture, { params: { date }, body: { version } });
  await revealed.finally(() => void reloadAdmin());
}

export function reloadCalendar(): Promise<unknown> {
  return reload(calendarKey);
}

/**
 * Loads the calendar of a year for administrators; `null` means the year of the next door to open.
 */
export function useCalendar(year: number | null): UseQueryResult<calendar.ManagedCalendar> {
  return useReply(calendar.getManagedCalendar, {
    queryKey: [...calendarKey, year],
    request: year === null ? {} : { query: { year: String(year) } },
    // Keeps the doors of the previous year visible until the chosen year is loaded.
    placeholderData: (previous) => previous,
  });
}

/**
 * Loads the lottery runs of a year and the members without a door. Waits while `year` is
 * `undefined`.
 */
export function useDealings(year: number | undefined): UseQueryResult<CalendarDealings> {
  return useReply(getCalendarDealings, {
    queryKey: [...adminKey, "dealings", year],
    request: { query: { year: String(year) } },
    enabled: year !== undefined,
    placeholderData: (previous) => previous,
  });
}

/**
 * Loads the preview of another lottery run for a year. The cached preview does not change until it
 * is applied or refused.
 */
export function useDealingPreview(year: number): UseQueryResult<DealingPreview> {
  return useReply(previewDealing, {
    queryKey: ["dealing preview", year],
    request: { body: { year } },
    gcTime: 0,
  });
}

/** Uploads one picture. Does not refetch the calendar, because further uploads may follow. */
export async function setPicture({ date, version }: CalendarDay, file: File, takesOver: number | null): Promise<void> {
  const body = new FormData();
  body.set("picture", file, file.name);
  const query = { version, ...(takesOver !== null && { takes_over: String(takesOver) }) };
  await call(calendar.setCalendarPicture, { params: { date }, query, body });
}

/** Replaces the music of the calendar page; `null` restores the built-in music. */
export function changeMusic(file: File | null): Promise<string> {
  if (file === null) return change(deleteCalendarAudio, {});
  const body = new FormData();
  body.set("audio", file, file.name);
  return change(setCalendarAudio, { body });
}
