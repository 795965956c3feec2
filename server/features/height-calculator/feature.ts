import { feature } from "#server/platform/feature.ts";
import { addRoutes } from "./routes.ts";

export const heightCalculator = feature({ name: "height-calculator", routes: [addRoutes] });
