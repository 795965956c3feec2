import { maxCalendarPictureBytes } from "#contract/calendar-doors.ts";
import { dayNumber } from "#contract/christmas-calendar.ts";
import { reloadAdmin } from "#web/admin/api.ts";
import { ApiError } from "#web/data/api.ts";
import { createStore, useStore } from "#web/data/store.ts";
import { confirm } from "#web/forms/confirm.tsx";
import { onMemberChange, useSession } from "#web/session/session.ts";
import { setPicture } from "../admin-queries.ts";
import { describeReplacing, isOthers, planPictures, type CalendarDay, type PlannedPicture } from "../admin-rules.ts";

/** A file that was not uploaded, with the reason as a German sentence. */
interface Remark {
  readonly name: string;
  readonly text: string;
}

/** Progress of the uploads that were started together. */
interface Progress {
  readonly isRunning: boolean;
  readonly done: number;
  readonly total: number;
  readonly failures: readonly Remark[];
  /**
   * Pictures that were not uploaded because of a rule, for example because their door is assigned
   * to a member.
   */
  readonly skipped: readonly Remark[];
}

export interface Uploads extends Progress {
  /**
   * Uploads several pictures to the doors planned for them. Asks before it replaces pictures, and
   * skips doors assigned to members.
   */
  uploadAll(days: readonly CalendarDay[], files: readonly File[]): Promise<void>;
  /**
   * Uploads a picture to a door, which must not have changed since the page showed it. Asks before
   * it takes over another member's door.
   */
  upload(day: CalendarDay, file: File): Promise<void>;
  /**
   * Uploads a picture that was dropped on a door. Asks before it replaces a picture or takes over
   * another member's door.
   */
  drop(day: CalendarDay, file: File): Promise<void>;
  /** Hides the report of the uploads. */
  dismiss(): void;
}

const idle: Progress = { isRunning: false, done: 0, total: 0, failures: [], skipped: [] };

/**
 * Stored outside of the component, because uploads continue while other pages are open, and their
 * result is shown when this page is opened again.
 */
const progress = createStore(idle);
let member = new AbortController();

// At every login and logout, aborts the previous member's uploads and hides their progress.
onMemberChange(() => {
  member.abort();
  member = new AbortController();
  progress.set(idle);
});

/**
 * Returns functions that upload pictures one at a time, so that each upload succeeds even on slow
 * connections. Ignores further uploads while one is running.
 */
export function useUploads(): Uploads {
  const userId = useSession().user?.id ?? 0;

  async function upload(day: CalendarDay, file: File): Promise<void> {
    const isTaken = isOthers(day, userId);
    if (isTaken && !(await confirmTakeOver(day))) return;
    await runUploads([{ day, file, takesOver: isTaken ? day.owner!.id : null }], {});
  }

  return {
    ...useStore(progress),
    dismiss: () => progress.set(idle),
    upload,
    async drop(day, file) {
      const isReplacing = day.is_filled && !isOthers(day, userId);
      if (isReplacing && !(await confirmReplacing([dayNumber(day.date)]))) return;
      await upload(day, file);
    },
    async uploadAll(days, files) {
      if (progress.get().isRunning) return;
      const { plan, replacing, owned, leftOver } = planPictures(files, days);
      const isReplaced = replacing.length > 0 && (await confirmReplacing(replacing.map(({ door }) => door)));
      const wanted = [...plan, ...(isReplaced ? replacing : [])].toSorted((one, other) => one.door - other.door);
      const toRemark = (text: (door: number) => string) => (planned: PlannedPicture<File>) => ({
        name: planned.file.name,
        text: text(planned.door),
      });
      const skipped = [
        ...owned.map(
          toRemark((door) => {
            const day = days[door - 1]!;
            return `Türchen ${door} gehört ${isOthers(day, userId) ? day.owner!.name : "dir"}.`;
          }),
        ),
        ...(isReplaced ? [] : replacing.map(toRemark((door) => `Hinter Türchen ${door} hängt schon ein Bild.`))),
      ];
      await runUploads(
        wanted.map(({ door, file }) => ({ day: days[door - 1]!, file, takesOver: null })),
        { failures: leftOver.map(({ name }) => ({ name, text: "Kein Türchen mehr frei." })), skipped },
      );
    },
  };
}

function confirmReplacing(doors: readonly number[]): Promise<boolean> {
  return confirm({ ...describeReplacing(doors), action: "Ersetzen" });
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
  readonly takesOver: number | null;
}

async function runUploads(
  uploads: readonly Upload[],
  { failures: before = [], skipped = [] }: Partial<Pick<Progress, "failures" | "skipped">>,
): Promise<void> {
  if (progress.get().isRunning) return;
  const { signal } = member;
  const failures = [...before];
  let done = 0;
  const report = (isRunning: boolean): void =>
    progress.set({ isRunning, done, total: uploads.length, failures: [...failures], skipped });
  report(true);
  for (const { day, file, takesOver } of uploads) {
    const fault = await uploadPicture(day, file, takesOver);
    if (signal.aborted) return;
    if (fault !== null) failures.push({ name: file.name, text: fault });
    else done += 1;
    report(true);
  }
  await reloadAdmin();
  if (!signal.aborted) report(false);
}

/** Uploads a picture; resolves to an error message in German, or to `null` after success. */
async function uploadPicture(day: CalendarDay, file: File, takesOver: number | null): Promise<string | null> {
  if (file.size > maxCalendarPictureBytes) return "Größer als 15 MB.";
  try {
    await setPicture(day, file, takesOver);
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.errors["picture"]?.[0] ?? error.message;
  }
}
