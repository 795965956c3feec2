import type { Feature } from "#server/platform/feature.ts";
import { hostCommands } from "./commands.ts";
import { hostJobs } from "./jobs.ts";
import { addHostRoutes } from "./routes.ts";

export const feature = {
  routes: addHostRoutes,
  commands: hostCommands,
  jobs: hostJobs,
} satisfies Feature;
