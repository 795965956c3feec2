import { defineFeature } from "#server/platform/feature.ts";
import { jobs } from "./jobs.ts";
import { addRoutes } from "./routes.ts";

export const accountFeature = defineFeature({ name: "account", addRoutes, jobs });
