import { feature } from "#server/platform/feature.ts";
import { addRoutes } from "./routes.ts";

export const news = feature({ name: "news", routes: [addRoutes] });
