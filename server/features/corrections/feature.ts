import { defineFeature } from "#server/platform/feature.ts";
import { addRoutes } from "./routes.ts";

export const correctionsFeature = defineFeature({ name: "corrections", addRoutes });
