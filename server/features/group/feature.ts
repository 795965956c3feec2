import type { Feature } from "#server/platform/feature.ts";
import { addGroupRoutes } from "./routes.ts";

export const feature = { routes: addGroupRoutes } satisfies Feature;
