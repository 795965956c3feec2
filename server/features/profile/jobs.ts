import { rmSync } from "node:fs";
import { join } from "node:path";

import type { Job } from "#server/platform/feature.ts";

export const jobs: readonly Job[] = [
  {
    // Uploads have no name as soon as they are open; a kill right before that leaves an empty file.
    name: "delete interrupted uploads",
    atStart: true,
    run: ({ config }) => rmSync(join(config.dataDir, "uploads"), { recursive: true, force: true }),
  },
];
