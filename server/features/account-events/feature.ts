import type { Feature } from "#server/platform/feature.ts";
import { exportAccountEvents } from "./export.ts";
import { accountEventJobs } from "./jobs.ts";
import { addAccountEventRoutes } from "./routes.ts";
import { tables } from "./tables.ts";

export const feature = {
  routes: addAccountEventRoutes,
  tables,
  jobs: accountEventJobs,
  accountExport: exportAccountEvents,
} satisfies Feature;
