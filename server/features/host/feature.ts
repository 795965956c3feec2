import type { Feature } from "#server/platform/feature.ts";
import { hostCommands } from "./commands.ts";
import { hostJobs } from "./jobs.ts";

export const feature = {
  commands: hostCommands,
  jobs: hostJobs,
} satisfies Feature;
