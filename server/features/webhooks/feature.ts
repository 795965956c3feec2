import { defineFeature } from "#server/platform/feature.ts";
import { addAdminRoutes } from "./admin-routes.ts";
import { accountExport } from "./export.ts";
import { jobs } from "./jobs.ts";
import { tables } from "./tables.ts";

export const webhooksFeature = defineFeature({ name: "webhooks", tables, addAdminRoutes, jobs, accountExport });
