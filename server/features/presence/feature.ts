import { feature } from "#server/platform/feature.ts";
import { addRoutes } from "./routes.ts";

export const presence = feature({ name: "presence", routes: [addRoutes] });
