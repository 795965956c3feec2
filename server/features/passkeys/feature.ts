import type { Feature } from "#server/platform/feature.ts";
import { exportPasskeys } from "./export.ts";
import { passkeyJobs } from "./jobs.ts";
import { addPasskeyRoutes } from "./routes.ts";
import { tables } from "./tables.ts";

export const feature = {
  routes: addPasskeyRoutes,
  tables,
  jobs: passkeyJobs,
  accountExport: exportPasskeys,
} satisfies Feature;
