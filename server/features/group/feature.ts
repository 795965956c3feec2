import { defineFeature } from "#server/platform/feature.ts";
import { addAdminRoutes } from "./admin-routes.ts";
import { addRoutes } from "./routes.ts";

export const groupFeature = defineFeature({ name: "group", addRoutes, addAdminRoutes });
