import { defineFeature } from "#server/platform/feature.ts";
import { addRoutes } from "./routes.ts";

export const memberPageFeature = defineFeature({ name: "member-page", addRoutes });
