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
import { call, type CallOptions } from "#web/data/api.ts";
import { reload, useReply } from "#web/data/query-client.ts";
import { adminKey, change, reloadAdmin } from "#web/shared/admin/queries.ts";
import type { CalendarDay } from "./admin-rules.ts";

const calendarKey = [...adminKey, "calendar"];

/** Changes a door; refetches the calendar also after a refusal, because the page may have been stale. */
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

/** Shows this administrator a member's picture before its day. */
export async function revealPicture({ date, version }: CalendarDay): Promise<void> {
  const revealed = call(calendar.revealCalendarPicture, { params: { date }, body: { version } });
  await revealed.finally(() => void reloadAdmin());
}

export function reloadCalendar(): Promise<unknown> {
  return reload(calendarKey);
}

/** Loads a managed calendar; `null` for the year of the next door to open. */
export function useCalendar(year: number | null): UseQueryResult<calendar.ManagedCalendar> {
  return useReply(calendar.getManagedCalendar, {
    queryKey: [...calendarKey, year],
    request: year === null ? {} : { query: { year: String(year) } },
    // Keeps the previous year's doors visible until the new ones are loaded.
    placeholderData: (previous) => previous,
  });
}

/** Loads the dealings of a year and the members without a door; waits while `year` is `undefined`. */
export function useDealings(year: number | undefined): UseQueryResult<CalendarDealings> {
  return useReply(getCalendarDealings, {
    queryKey: [...adminKey, "dealings", year],
    request: { query: { year: String(year) } },
    enabled: year !== undefined,
    placeholderData: (previous) => previous,
  });
}

/** Loads the preview of dealing a year again. The shown preview is kept until it is applied or refused. */
export function useDealingPreview(year: number): UseQueryResult<DealingPreview> {
  return useReply(previewDealing, {
    queryKey: ["dealing preview", year],
    request: { body: { year } },
    gcTime: 0,
  });
}

/** Uploads one picture without refetching the calendar, because several uploads follow each other. */
export async function setPicture({ date, version }: CalendarDay, file: File, takesOver: number | null): Promise<void> {
  const body = new FormData();
  body.set("picture", file, file.name);
  const query = { version, ...(takesOver !== null && { takes_over: String(takesOver) }) };
  await call(calendar.setCalendarPicture, { params: { date }, query, body });
}

/** Changes the calendar's music; `null` restores the built-in music. */
export function changeMusic(file: File | null): Promise<string> {
  if (file === null) return change(deleteCalendarAudio, {});
  const body = new FormData();
  body.set("audio", file, file.name);
  return change(setCalendarAudio, { body });
}
