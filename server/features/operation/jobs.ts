import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

import { isUpgradeCopy, isUnfinishedUpgradeCopy } from "#server/db/upgrade.ts";
import type { Job } from "#server/platform/feature.ts";
import { days, hours } from "#server/time.ts";
import { makeBackupIfDue } from "./backup-actions.ts";
import { checkReleasesIfDue } from "./release-actions.ts";

// These patterns keep the operator's own files in the folders.
const isMail = (name: string) => /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-.+\.eml$/.test(name);
/** Files of imports and of writeFileDurably() that a killed process leaves. */
const isUnfinished = (name: string) => /.\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/.test(name);

/** Folders are in the data directory; `maxAge` is in milliseconds. */
const passingFiles: readonly { folder: string; isOurs: (name: string) => boolean; maxAge: number }[] = [
  { folder: "outbox", isOurs: isMail, maxAge: days(30) },
  { folder: "before-upgrade", isOurs: isUpgradeCopy, maxAge: days(30) },
  { folder: "before-upgrade", isOurs: isUnfinishedUpgradeCopy, maxAge: hours(1) },
  ...[".", "outbox", "game-servers"].map((folder) => ({ folder, isOurs: isUnfinished, maxAge: hours(1) })),
];

export const jobs: readonly Job[] = [
  {
    name: "delete old mails, copies of the database and unfinished files",
    isEverywhere: true,
    atStart: true,
    interval: days(1),
    run({ config: { dataDir }, clock }) {
      for (const { folder, isOurs, maxAge } of passingFiles)
        for (const file of list(join(dataDir, folder), isOurs)) {
          // Another instance may have deleted or renamed the file.
          const found = statSync(file, { throwIfNoEntry: false });
          if (found?.isFile() && clock.now() - found.mtimeMs > maxAge) rmSync(file, { force: true });
        }
    },
  },
  { name: "make a backup when one is due", interval: hours(1), run: makeBackupIfDue },
  { name: "look for a newer version once a day", atStart: true, interval: hours(1), run: checkReleasesIfDue },
];

function list(folder: string, isOurs: (name: string) => boolean): string[] {
  try {
    return readdirSync(folder)
      .filter(isOurs)
      .map((name) => join(folder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
