import { globSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

import type { Job } from "#server/platform/feature.ts";
import { days, hours } from "#server/time.ts";

/**
 * Glob patterns of temporary files in the data directory, each with its maximum age in
 * milliseconds.
 */
const passingFiles: readonly { pattern: string; maxAge: number }[] = [
  { pattern: "outbox/*.eml", maxAge: days(30) },
  { pattern: "before-upgrade/*.db", maxAge: days(30) },
  // Unfinished files that a killed process leaves: of imports, of writeFileDurably() and of the
  // database copy before an upgrade.
  { pattern: "{.,outbox,game-servers}/*.????????-????-????-????-????????????.tmp", maxAge: hours(1) },
  { pattern: "before-upgrade/*.db.part*", maxAge: hours(1) },
];

export const jobs: readonly Job[] = [
  {
    name: "delete old mails, copies of the database and unfinished files",
    isEverywhere: true,
    atStart: true,
    interval: days(1),
    run({ config: { dataDir }, clock }) {
      for (const { pattern, maxAge } of passingFiles)
        for (const file of globSync(pattern, { cwd: dataDir }).map((name) => join(dataDir, name))) {
          // Another instance may have deleted or renamed the file since the directory was listed.
          const found = statSync(file, { throwIfNoEntry: false });
          if (found && clock.now() - found.mtimeMs > maxAge) rmSync(file, { force: true });
        }
    },
  },
];
