import { calendarFileLimits, type ManagedCalendar } from "#contract/admin-calendar.ts";
import { ApiError } from "#web/platform/api.ts";
import { onMemberChange } from "#web/platform/session.ts";
import { createStore, useStore } from "#web/platform/store.ts";
import { reloadAdmin, setPicture } from "../queries.ts";
import { planPictures } from "../rules.ts";

/** What became of the pictures that were picked together. */
interface Progress {
  readonly isRunning: boolean;
  readonly done: number;
  readonly total: number;
  /** A sentence for every file that does not hang. */
  readonly failures: readonly { readonly name: string; readonly text: string }[];
}

export interface Uploads extends Progress {
  /** Hangs many pictures, each where it belongs. */
  uploadAll(days: ManagedCalendar["days"], files: readonly File[]): Promise<void>;
  /** Hangs one picture behind this door. */
  upload(date: string, file: File): Promise<void>;
  /** Puts the report away. */
  dismiss(): void;
}

const idle: Progress = { isRunning: false, done: 0, total: 0, failures: [] };

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
  return {
    ...useStore(progress),
    dismiss: () => progress.set(idle),
    upload: (date, file) => runUploads([{ date, file }], []),
    uploadAll(days, files) {
      const { plan, leftOver } = planPictures(files, (door) => isFree(days[door - 1]));
      return runUploads(
        plan.map(({ door, file }) => ({ date: days[door - 1]!.date, file })),
        leftOver,
      );
    },
  };
}

/** Neither filled nor a member's to fill. */
function isFree(day: ManagedCalendar["days"][number] | undefined): boolean {
  return day?.preview === null && day.owner === null;
}

async function runUploads(plan: readonly { date: string; file: File }[], leftOver: readonly File[]): Promise<void> {
  if (progress.get().isRunning) return;
  const { signal } = member;
  const faults = leftOver.map(({ name }) => ({ name, text: "Kein Türchen mehr frei." }));
  let done = 0;
  const report = (isRunning: boolean): void =>
    progress.set({ isRunning, done, total: plan.length, failures: [...faults] });
  report(true);
  for (const { date, file } of plan) {
    const fault = await uploadPicture(date, file);
    if (signal.aborted) return;
    if (fault !== null) faults.push({ name: file.name, text: fault });
    else done += 1;
    report(true);
  }
  await reloadAdmin();
  if (!signal.aborted) report(false);
}

/** Null: it hangs. Otherwise what was wrong, as a German sentence. */
async function uploadPicture(date: string, file: File): Promise<string | null> {
  if (file.size > calendarFileLimits.picture) return "Größer als 15 MB.";
  try {
    await setPicture(date, file);
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.errors["picture"]?.[0] ?? error.message;
  }
}
