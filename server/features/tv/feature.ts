import { defineFeature } from "#server/platform/feature.ts";
import { addAdminRoutes } from "./admin-routes.ts";
import { accountExport } from "./export.ts";
import { jobs } from "./jobs.ts";
import { addRoutes } from "./routes.ts";
import { tables } from "./tables.ts";

export const tvFeature = defineFeature({ name: "tv", tables, addRoutes, addAdminRoutes, jobs, accountExport });
