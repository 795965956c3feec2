import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect } from "react";

import * as calendar from "#contract/calendar-doors.ts";
import { managedCalendarChanged } from "#contract/calendar-events.ts";
import {
  type CalendarDealings,
  type DealingPreview,
  getCalendarDealings,
  previewDealing,
} from "#contract/calendar-lottery.ts";
import { deleteCalendarAudio, setCalendarAudio } from "#contract/calendar-music.ts";
import { dayNumber } from "#contract/christmas-calendar.ts";
import type { Endpoint, ReplyOf } from "#contract/endpoint.ts";
import { adminKey, change, reloadAdmin } from "#web/admin/api.ts";
import { ApiError, call, type CallOptions } from "#web/client/api.ts";
import { subscribe } from "#web/client/realtime.ts";
import { createStore } from "#web/client/store.ts";
import { reload, useReply } from "#web/data/query-client.ts";
import { confirm } from "#web/page/confirm.tsx";
import { showMessage } from "#web/page/messages.tsx";
import { useStore, onMemberChange, useMember } from "#web/page/session.ts";
import {
  type CalendarDay,
  describeReplacing,
  describeUploads,
  isOthers,
  type Missing,
  planPictures,
} from "./admin-rules.ts";

const calendarKey = [...adminKey, "calendar"];

function reloadCalendar(): Promise<unknown> {
  return reload(calendarKey);
}

/** `null` means the year of the next door to open. */
export function useCalendar(year: number | null): UseQueryResult<calendar.ManagedCalendar> {
  return useReply(calendar.getManagedCalendar, {
    queryKey: [...calendarKey, year],
    request: year === null ? {} : { query: { year: String(year) } },
    // Keeps the doors of the previous year visible until the chosen year is loaded.
    placeholderData: (previous) => previous,
  });
}

export function useCalendarLive(): void {
  useEffect(() => {
    const onChange = (): void => void reloadCalendar();
    return subscribe(managedCalendarChanged, { onEvent: onChange, onSubscribed: onChange });
  }, []);
}

/** The lottery runs of a year and the members without a door. Waits while `year` is `undefined`. */
export function useDealings(year: number | undefined): UseQueryResult<CalendarDealings> {
  return useReply(getCalendarDealings, {
    queryKey: [...adminKey, "dealings", year],
    request: { query: { year: String(year) } },
    enabled: year !== undefined,
    placeholderData: (previous) => previous,
  });
}

/** The result of another lottery run, the same until it is applied or refused. */
export function useDealingPreview(year: number): UseQueryResult<DealingPreview> {
  return useReply(previewDealing, {
    queryKey: ["dealing preview", year],
    request: { body: { year } },
    gcTime: 0,
  });
}

/** Refetches the calendar even if the server refuses, because the page may have been stale. */
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

/** Lets this administrator see a member's picture before the day of its door. */
export async function revealPicture({ date, version }: CalendarDay): Promise<void> {
  const revealed = call(calendar.revealCalendarPicture, { params: { date }, body: { version } });
  await revealed.finally(() => void reloadAdmin());
}

/** `null` restores the built-in music. */
export function changeMusic(file: File | null): Promise<string> {
  if (file === null) return change(deleteCalendarAudio, {});
  const body = new FormData();
  body.set("audio", file, file.name);
  return change(setCalendarAudio, { body });
}

export interface Uploads {
  readonly isRunning: boolean;
  /** Asks before it replaces pictures, and skips doors of members. */
  uploadAll(days: readonly CalendarDay[], files: readonly File[]): Promise<void>;
  /** Asks before it takes over another member's door. */
  upload(day: CalendarDay, file: File): Promise<void>;
}

/** Outside of the component, because uploads continue while other pages are open. */
const isRunning = createStore(false);
let member = new AbortController();

onMemberChange(() => {
  member.abort();
  member = new AbortController();
  isRunning.set(false);
});

export function useUploads(): Uploads {
  const userId = useMember()?.id ?? 0;
  return {
    isRunning: useStore(isRunning),
    async upload(day, file) {
      const isTaken = isOthers(day, userId);
      if (isTaken && !(await confirmTakeOver(day))) return;
      await runUploads([{ day, file, takesOver: isTaken ? day.owner!.id : null }], []);
    },
    async uploadAll(days, files) {
      if (isRunning.get()) return;
      const { plan, replacing, owned, leftOver } = planPictures(files, days);
      const isReplaced =
        replacing.length > 0 &&
        (await confirm({ ...describeReplacing(replacing.map(({ door }) => door)), action: "Ersetzen" }));
      const wanted = [...plan, ...(isReplaced ? replacing : [])].toSorted((one, other) => one.door - other.door);
      const kept = isReplaced ? [] : replacing;
      await runUploads(
        wanted.map(({ door, file }) => ({ day: days[door - 1]!, file, takesOver: null })),
        [
          ...leftOver.map(({ name }) => ({ name, text: "Kein Türchen mehr frei." })),
          ...owned.map(({ door, file: { name } }) => {
            const day = days[door - 1]!;
            return { name, text: `Türchen ${door} gehört ${isOthers(day, userId) ? day.owner!.name : "dir"}.` };
          }),
          ...kept.map(({ door, file: { name } }) => ({ name, text: `Hinter Türchen ${door} hängt schon ein Bild.` })),
        ],
      );
    },
  };
}

function confirmTakeOver({ date, is_filled: isFilled, owner }: CalendarDay): Promise<boolean> {
  const { name } = owner!;
  const picture = isFilled ? ` Das Bild, das ${name} dort aufgehängt hat, ist dann weg.` : "";
  return confirm({
    title: `Türchen ${dayNumber(date)} von ${name} übernehmen?`,
    text: `${name} füllt dieses Türchen.${picture} Mit deinem Bild gehört es keinem Mitglied mehr, und ${name} erfährt davon.`,
    action: "Übernehmen",
  });
}

interface Upload {
  readonly day: CalendarDay;
  readonly file: File;
  /** The other member whose door this is. */
  readonly takesOver: number | null;
}

/** Uploads one picture at a time for slow connections, and then tells the result on whichever page is open. */
async function runUploads(uploads: readonly Upload[], skipped: readonly Missing[]): Promise<void> {
  if (isRunning.get()) return;
  const { signal } = member;
  const faults: Missing[] = [];
  isRunning.set(true);
  for (const upload of uploads) {
    const text = await uploadPicture(upload);
    if (signal.aborted) return;
    if (text !== null) faults.push({ name: upload.file.name, text });
  }
  await reloadAdmin();
  if (signal.aborted) return;
  isRunning.set(false);
  const text = describeUploads(uploads.length - faults.length, uploads.length, [...faults, ...skipped]);
  showMessage({ type: faults.length > 0 ? "error" : skipped.length > 0 ? "warning" : "success", text });
}

/** Resolves to a German sentence if the picture was not uploaded. */
async function uploadPicture({ day: { date, version }, file, takesOver }: Upload): Promise<string | null> {
  if (file.size > calendar.maxCalendarPictureBytes) return "Größer als 15 MB.";
  const body = new FormData();
  body.set("picture", file, file.name);
  const query = { version, ...(takesOver !== null && { takes_over: String(takesOver) }) };
  try {
    await call(calendar.setCalendarPicture, { params: { date }, query, body });
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.errors["picture"]?.[0] ?? error.message;
  }
}
