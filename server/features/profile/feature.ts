import { feature } from "#server/platform/feature.ts";
import { accountExport } from "./export.ts";
import { addRoutes } from "./routes.ts";

export const profile = feature({ name: "profile", routes: [addRoutes], accountExport });
