import { feature } from "#server/platform/feature.ts";
import { addAdminRoutes } from "./admin-routes.ts";
import { accountExport } from "./export.ts";

export const audit = feature({ name: "audit", routes: [addAdminRoutes], accountExport });
