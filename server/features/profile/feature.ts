import { defineFeature } from "#server/platform/feature.ts";
import { accountExport } from "./export.ts";
import { addRoutes } from "./routes.ts";

export const profileFeature = defineFeature({ name: "profile", addRoutes, accountExport });
