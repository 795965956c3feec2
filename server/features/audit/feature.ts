import { defineFeature } from "#server/platform/feature.ts";
import { addAdminRoutes } from "./admin-routes.ts";
import { accountExport } from "./export.ts";

export const auditFeature = defineFeature({ name: "audit", addAdminRoutes, accountExport });
