import { feature } from "#server/platform/feature.ts";
import { addAdminRoutes } from "./admin-routes.ts";
import { accountExport } from "./export.ts";
import { jobs } from "./jobs.ts";
import { tables } from "./tables.ts";

export const webhooks = feature({ name: "webhooks", tables, routes: [addAdminRoutes], jobs, accountExport });
