import { calendarFileLimits } from "#contract/admin-calendar.ts";
import { ApiError } from "#web/platform/api.ts";
import { confirm } from "#web/platform/confirm.tsx";
import { onMemberChange, useSession } from "#web/platform/session.ts";
import { createStore, useStore } from "#web/platform/store.ts";
import { reloadAdmin, setPicture } from "../queries.ts";
import { dayOf, describeReplacing, isOthers, planPictures, type CalendarDay, type PlannedPicture } from "../rules.ts";

/** A file that does not hang, and why, as a sentence. */
interface Remark {
  readonly name: string;
  readonly text: string;
}

/** What became of the pictures that were picked together. */
interface Progress {
  readonly isRunning: boolean;
  readonly done: number;
  readonly total: number;
  readonly failures: readonly Remark[];
  /** Pictures that were left out on purpose. */
  readonly skipped: readonly Remark[];
}

export interface Uploads extends Progress {
  /** Hangs many pictures, each where it belongs. Asks before it replaces any, and never touches a member's door. */
  uploadAll(days: readonly CalendarDay[], files: readonly File[]): Promise<void>;
  /** Hangs one picture behind this door, as the page showed it. Asks before it takes the door of another member over. */
  upload(day: CalendarDay, file: File): Promise<void>;
  /** Hangs one picture that was dropped on this door; asks before it replaces another one, too. */
  drop(day: CalendarDay, file: File): Promise<void>;
  /** Puts the report away. */
  dismiss(): void;
}

const idle: Progress = { isRunning: false, done: 0, total: 0, failures: [], skipped: [] };

/** They go on while other pages are looked at, and are reported when the member comes back. */
const progress = createStore(idle);
let member = new AbortController();

// Nothing is uploaded or reported for the next one.
onMemberChange(() => {
  member.abort();
  member = new AbortController();
  progress.set(idle);
});

/** Uploads pictures one after the other, so that a slow line carries each of them whole; meanwhile it takes no others. */
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
      if (isReplacing && !(await confirmReplacing([dayOf(day.date)]))) return;
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
    title: `Türchen ${dayOf(date)} von ${name} übernehmen?`,
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

/** Null: it hangs. Otherwise what was wrong, as a German sentence. */
async function uploadPicture(day: CalendarDay, file: File, takesOver: number | null): Promise<string | null> {
  if (file.size > calendarFileLimits.picture) return "Größer als 15 MB.";
  try {
    await setPicture(day, file, takesOver);
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.errors["picture"]?.[0] ?? error.message;
  }
}
