import { defineFeature } from "#server/platform/feature.ts";
import { accountExport } from "./export.ts";
import { addRoutes } from "./routes.ts";
import { tables } from "./tables.ts";

export const apiTokensFeature = defineFeature({ name: "api-tokens", tables, addRoutes, accountExport });
