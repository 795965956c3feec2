import type { Feature } from "#server/platform/feature.ts";
import { tvJobs } from "./jobs.ts";
import { addTvRoutes } from "./routes.ts";
import { tables } from "./tables.ts";

export const feature = {
  routes: addTvRoutes,
  tables,
  jobs: tvJobs,
} satisfies Feature;
