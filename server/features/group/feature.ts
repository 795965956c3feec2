import { feature } from "#server/platform/feature.ts";
import { addAdminRoutes } from "./admin-routes.ts";
import { addRoutes } from "./routes.ts";

export const group = feature({ name: "group", routes: [addRoutes, addAdminRoutes] });
