import type { Feature } from "#server/platform/feature.ts";
import { addCorrectionRoutes } from "./routes.ts";

export const feature = { routes: addCorrectionRoutes } satisfies Feature;
