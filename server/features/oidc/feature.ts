import { feature } from "#server/platform/feature.ts";
import { accountExport } from "./export.ts";
import { jobs } from "./jobs.ts";
import { addRoutes } from "./routes.ts";
import { tables } from "./tables.ts";

export const oidc = feature({ name: "oidc", tables, routes: [addRoutes], jobs, accountExport });
