import { defineFeature } from "#server/platform/feature.ts";
import { accountExport } from "./export.ts";
import { addRoutes } from "./routes.ts";
import { tables } from "./tables.ts";

export const membersFeature = defineFeature({ name: "members", tables, addRoutes, accountExport });
