import type { Feature } from "#server/platform/feature.ts";
import { exportKnownDevices } from "./export.ts";
import { loginThrottleJobs } from "./jobs.ts";
import { tables } from "./tables.ts";

export const feature = {
  tables,
  jobs: loginThrottleJobs,
  accountExport: exportKnownDevices,
} satisfies Feature;
