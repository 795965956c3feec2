import type { Feature } from "#server/platform/feature.ts";
import { addHeightCalculatorRoutes } from "./routes.ts";

export const feature = { routes: addHeightCalculatorRoutes } satisfies Feature;
