import { useState } from "react";

import { calendarFileLimits, type ManagedCalendar } from "#contract/admin-calendar.ts";
import { ApiError } from "#web/platform/api.ts";
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

/** Uploads pictures one after the other, so that a slow line carries each of them whole; meanwhile it takes no others. */
export function useUploads(): Uploads {
  const [progress, setProgress] = useState<Progress>(idle);

  async function runUploads(plan: readonly { date: string; file: File }[], leftOver: readonly File[]): Promise<void> {
    if (progress.isRunning) return;
    const faults = leftOver.map(({ name }) => ({ name, text: "Kein Türchen mehr frei." }));
    let done = 0;
    const report = (isRunning: boolean): void =>
      setProgress({ isRunning, done, total: plan.length, failures: [...faults] });
    report(true);
    for (const { date, file } of plan) {
      const fault = await uploadPicture(date, file);
      if (fault !== null) faults.push({ name: file.name, text: fault });
      else done += 1;
      report(true);
    }
    await reloadAdmin();
    report(false);
  }

  return {
    ...progress,
    dismiss: () => setProgress(idle),
    upload: (date, file) => runUploads([{ date, file }], []),
    uploadAll(days, files) {
      const { plan, leftOver } = planPictures(files, (door) => days[door - 1]?.preview === null);
      return runUploads(
        plan.map(({ door, file }) => ({ date: days[door - 1]!.date, file })),
        leftOver,
      );
    },
  };
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
