import type { Feature } from "#server/platform/feature.ts";
import { keepPendingPushes } from "./actions.ts";
import { exportSettings } from "./export.ts";
import { notificationJobs } from "./jobs.ts";
import { addNotificationRoutes } from "./routes.ts";
import { tables } from "./tables.ts";

export const feature = {
  routes: addNotificationRoutes,
  tables,
  jobs: notificationJobs,
  accountExport: exportSettings,
  onClose: keepPendingPushes,
} satisfies Feature;
