import { feature } from "#server/platform/feature.ts";
import { addRoutes } from "./routes.ts";

export const metrics = feature({ name: "metrics", routes: [addRoutes] });
