import { defineFeature } from "#server/platform/feature.ts";
import { addAdminRoutes } from "./admin-routes.ts";
import { jobs } from "./jobs.ts";

export const releasesFeature = defineFeature({ name: "releases", addAdminRoutes, jobs });
