import { globSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

import type { Job } from "#server/platform/feature.ts";
import { days } from "#server/time.ts";

/** Files with personal data that nobody needs for long. */
const passingFiles = ["outbox/*.eml", "before-upgrade/*.db"];
const maxAgeMs = days(30);

export const jobs: readonly Job[] = [
  {
    name: "delete old mails and copies of the database",
    atStart: true,
    interval: days(1),
    run({ config: { dataDir }, clock }) {
      for (const file of globSync(passingFiles, { cwd: dataDir }).map((name) => join(dataDir, name)))
        if (clock.now() - statSync(file).mtimeMs > maxAgeMs) rmSync(file, { force: true });
    },
  },
];
