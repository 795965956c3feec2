import {
  keepPreviousData,
  useIsMutating,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
  type UseQueryResult,
} from "@tanstack/react-query";

import * as calendar from "#contract/calendar-doors.ts";
import { managedCalendarChanged } from "#contract/calendar-events.ts";
import {
  type CalendarDealings,
  type DealingPreview,
  getCalendarDealings,
  previewDealing,
} from "#contract/calendar-lottery.ts";
import { dayNumber } from "#contract/christmas-calendar.ts";
import { adminKey } from "#web/admin/api.ts";
import { ApiError, call } from "#web/client/api.ts";
import { keyOf, reload, replyOptions } from "#web/client/queries.ts";
import { confirm } from "#web/page/confirm.tsx";
import { showMessage } from "#web/page/messages.tsx";
import { useEvent, useReload } from "#web/page/queries.ts";
import { useMember } from "#web/page/session.ts";
import {
  type CalendarDay,
  describeReplacing,
  describeUploads,
  isOthers,
  type Missing,
  planPictures,
} from "./admin-rules.ts";

/** Takes `null` for the year of the next door to open. */
export function useCalendar(year: number | null): UseQueryResult<calendar.ManagedCalendar> {
  const reloadCalendar = useReload(keyOf(calendar.getManagedCalendar));
  const onChange = (): void => void reloadCalendar();
  useEvent(managedCalendarChanged, onChange, onChange);
  return useQuery({
    ...replyOptions(calendar.getManagedCalendar, year === null ? {} : { query: { year: String(year) } }),
    // Keeps the previous year's doors until the chosen year is loaded.
    placeholderData: keepPreviousData,
  });
}

/** Waits while `year` is `undefined`. */
export function useDealings(year: number | undefined): UseQueryResult<CalendarDealings> {
  return useQuery({
    ...replyOptions(getCalendarDealings, { query: { year: String(year) } }),
    enabled: year !== undefined,
    placeholderData: keepPreviousData,
  });
}

/** Keeps the same result until it is applied or refused. */
export function useDealingPreview(year: number): UseQueryResult<DealingPreview> {
  return useQuery({
    // No key of the administration, whose changes must not exchange the shown result.
    queryKey: ["dealing-preview", year],
    queryFn: ({ signal }) => call(previewDealing, { body: { year }, signal }),
    gcTime: 0,
  });
}

export interface Uploads {
  readonly isRunning: boolean;
  /** Asks before it replaces pictures; skips doors of members. */
  uploadAll(days: readonly CalendarDay[], files: readonly File[]): Promise<void>;
  /** Asks before it takes over another member's door. */
  upload(day: CalendarDay, file: File): Promise<void>;
}

const mutationKey = ["calendar-pictures"];

/** Uploads also while other pages are open. */
export function useUploads(): Uploads {
  const userId = useMember()?.id ?? 0;
  const queries = useQueryClient();
  const isRunning = useIsMutating({ mutationKey }) > 0;
  const { mutate } = useMutation({ mutationKey, mutationFn: (batch: Batch) => runUploads(queries, batch) });
  function start(batch: Batch): void {
    if (queries.isMutating({ mutationKey }) === 0) mutate(batch);
  }
  return {
    isRunning,
    async upload(day, file) {
      const isTaken = isOthers(day, userId);
      if (isTaken && !(await confirmTakeOver(day))) return;
      start({ uploads: [{ day, file, takesOver: isTaken ? day.owner!.id : null }], skipped: [] });
    },
    async uploadAll(days, files) {
      const { plan, replacing, owned, leftOver } = planPictures(files, days);
      const isReplaced =
        replacing.length > 0 &&
        (await confirm({ ...describeReplacing(replacing.map(({ door }) => door)), action: "Ersetzen" }));
      const wanted = [...plan, ...(isReplaced ? replacing : [])].toSorted((one, other) => one.door - other.door);
      const kept = isReplaced ? [] : replacing;
      start({
        uploads: wanted.map(({ door, file }) => ({ day: days[door - 1]!, file, takesOver: null })),
        skipped: [
          ...leftOver.map(({ name }) => ({ name, text: "Kein Türchen mehr frei." })),
          ...owned.map(({ door, file: { name } }) => {
            const day = days[door - 1]!;
            const owner = isOthers(day, userId) ? (day.owner?.name ?? "einem Mitglied") : "dir";
            return { name, text: `Türchen ${door} gehört ${owner}.` };
          }),
          ...kept.map(({ door, file: { name } }) => ({ name, text: `Hinter Türchen ${door} hängt schon ein Bild.` })),
        ],
      });
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

interface Batch {
  readonly uploads: readonly Upload[];
  readonly skipped: readonly Missing[];
}

/** Uploads one picture at a time for slow connections, and tells the result on whichever page is open. */
async function runUploads(queries: QueryClient, { uploads, skipped }: Batch): Promise<void> {
  // A logout clears the mutations.
  const isLoggedOut = (): boolean => queries.isMutating({ mutationKey }) === 0;
  const faults: Missing[] = [];
  for (const upload of uploads) {
    const text = await uploadPicture(upload);
    if (isLoggedOut()) return;
    if (text !== null) faults.push({ name: upload.file.name, text });
  }
  await reload(queries, adminKey);
  if (isLoggedOut()) return;
  const text = describeUploads(uploads.length - faults.length, uploads.length, [...faults, ...skipped]);
  showMessage({ type: faults.length > 0 ? "error" : skipped.length > 0 ? "warning" : "success", text });
}

/** Resolves to a German sentence if the upload failed. */
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
