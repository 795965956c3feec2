import type { Feature } from "#server/platform/feature.ts";
import { exportDevices } from "./export.ts";
import { profileJobs } from "./jobs.ts";
import { addProfileRoutes } from "./routes.ts";

export const feature = {
  routes: addProfileRoutes,
  jobs: profileJobs,
  accountExport: exportDevices,
} satisfies Feature;
