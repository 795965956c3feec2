import { defineFeature } from "#server/platform/feature.ts";
import { addRoutes } from "./routes.ts";

export const newsFeature = defineFeature({ name: "news", addRoutes });
