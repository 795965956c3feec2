import { rmSync } from "node:fs";
import { join } from "node:path";

import type { Feature } from "#server/platform/feature.ts";
import { exportDevices } from "./export.ts";
import { addProfileRoutes } from "./routes.ts";

export const feature = {
  routes: addProfileRoutes,
  jobs: [
    {
      // Uploads have no name as soon as they are open; a kill right before that leaves an empty file.
      name: "delete interrupted uploads",
      atStart: true,
      run: ({ config }) => rmSync(join(config.dataDir, "uploads"), { recursive: true, force: true }),
    },
  ],
  accountExport: exportDevices,
} satisfies Feature;
