import { defineFeature } from "#server/platform/feature.ts";
import { addRoutes } from "./routes.ts";

export const presenceFeature = defineFeature({ name: "presence", addRoutes });
