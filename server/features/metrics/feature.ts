import { defineFeature } from "#server/platform/feature.ts";
import { addRoutes } from "./routes.ts";

export const metricsFeature = defineFeature({ name: "metrics", addRoutes });
