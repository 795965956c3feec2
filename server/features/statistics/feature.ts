import { feature } from "#server/platform/feature.ts";
import { addRoutes } from "./routes.ts";

export const statistics = feature({ name: "statistics", routes: [addRoutes] });
