import type { Feature } from "#server/platform/feature.ts";
import { exportResetLinks } from "./export.ts";
import { passwordResetJobs } from "./jobs.ts";
import { addPasswordResetRoutes } from "./routes.ts";
import { tables } from "./tables.ts";

export const feature = {
  routes: addPasswordResetRoutes,
  tables,
  jobs: passwordResetJobs,
  accountExport: exportResetLinks,
} satisfies Feature;
