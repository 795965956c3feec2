import { defineFeature } from "#server/platform/feature.ts";
import { jobs, onListen } from "./jobs.ts";
import { addRoutes } from "./routes.ts";
import { tables } from "./tables.ts";

export const authFeature = defineFeature({ name: "auth", tables, addRoutes, jobs, onListen });
