import { feature } from "#server/platform/feature.ts";
import { accountExport } from "./export.ts";
import { jobs } from "./jobs.ts";
import { addRoutes } from "./routes.ts";
import { tables } from "./tables.ts";

export const members = feature({ name: "members", tables, routes: [addRoutes], jobs, accountExport });
