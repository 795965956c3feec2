import { feature } from "#server/platform/feature.ts";
import { addAdminRoutes } from "./admin-routes.ts";
import { jobs } from "./jobs.ts";

export const releases = feature({ name: "releases", routes: [addAdminRoutes], jobs });
