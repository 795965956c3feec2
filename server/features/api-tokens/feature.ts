import { feature } from "#server/platform/feature.ts";
import { accountExport } from "./export.ts";
import { addRoutes } from "./routes.ts";
import { tables } from "./tables.ts";

export const apiTokens = feature({ name: "api-tokens", tables, routes: [addRoutes], accountExport });
