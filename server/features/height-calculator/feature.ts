import { defineFeature } from "#server/platform/feature.ts";
import { addRoutes } from "./routes.ts";

export const heightCalculatorFeature = defineFeature({ name: "height-calculator", addRoutes });
