import { rmSync } from "node:fs";
import { join } from "node:path";

import type { Job } from "#server/platform/feature.ts";

export const profileJobs: readonly Job[] = [
  {
    // Uploads lose their name as soon as they are opened; a kill right in between leaves one, empty.
    name: "delete interrupted uploads",
    atStart: true,
    run: ({ config }) => rmSync(join(config.dataDir, "uploads"), { recursive: true, force: true }),
  },
];
