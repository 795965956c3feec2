import type { Feature } from "#server/platform/feature.ts";
import { addYearReviewRoutes } from "./routes.ts";

export const feature = { routes: addYearReviewRoutes } satisfies Feature;
