import { defineFeature } from "#server/platform/feature.ts";
import { commands } from "./commands.ts";
import { jobs } from "./jobs.ts";
import { addRoutes } from "./routes.ts";

export const hostFeature = defineFeature({ name: "host", addRoutes, jobs, commands });
