import { feature } from "#server/platform/feature.ts";
import { addRoutes } from "./routes.ts";

export const corrections = feature({ name: "corrections", routes: [addRoutes] });
