import { feature } from "#server/platform/feature.ts";
import { addRoutes } from "./routes.ts";

export const yearReview = feature({ name: "year-review", routes: [addRoutes] });
