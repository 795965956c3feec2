import { defineFeature } from "#server/platform/feature.ts";
import { jobs } from "./jobs.ts";
import { addRoutes } from "./routes.ts";
import { tables } from "./tables.ts";

export const authFeature = defineFeature({ name: "auth", tables, addRoutes, jobs });
