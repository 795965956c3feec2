import { defineFeature } from "#server/platform/feature.ts";
import { addAdminRoutes } from "./admin-routes.ts";
import { commands } from "./commands.ts";

export const memberManagementFeature = defineFeature({ name: "member-management", addAdminRoutes, commands });
