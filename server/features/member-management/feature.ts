import { feature } from "#server/platform/feature.ts";
import { addAdminRoutes } from "./admin-routes.ts";
import { commands } from "./commands.ts";

export const memberManagement = feature({ name: "member-management", routes: [addAdminRoutes], commands });
