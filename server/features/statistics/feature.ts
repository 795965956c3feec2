import type { Feature } from "#server/platform/feature.ts";
import { addStatisticsRoutes } from "./routes.ts";

export const feature = { routes: addStatisticsRoutes } satisfies Feature;
