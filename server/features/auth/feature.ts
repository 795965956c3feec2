import type { Feature } from "#server/platform/feature.ts";
import { authJobs } from "./jobs.ts";
import { addAuthRoutes } from "./routes.ts";
import { tables } from "./tables.ts";

export const feature = {
  routes: addAuthRoutes,
  tables,
  jobs: authJobs,
} satisfies Feature;
