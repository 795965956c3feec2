import { defineFeature } from "#server/platform/feature.ts";
import { addRoutes } from "./routes.ts";

export const statisticsFeature = defineFeature({ name: "statistics", addRoutes });
