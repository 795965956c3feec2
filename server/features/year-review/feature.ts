import { defineFeature } from "#server/platform/feature.ts";
import { addRoutes } from "./routes.ts";

export const yearReviewFeature = defineFeature({ name: "year-review", addRoutes });
