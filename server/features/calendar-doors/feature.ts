import { defineFeature } from "#server/platform/feature.ts";
import { addAdminRoutes } from "./admin-routes.ts";
import { jobs } from "./jobs.ts";
import { tables } from "./tables.ts";

export const calendarDoorsFeature = defineFeature({ name: "calendar-doors", tables, addAdminRoutes, jobs });
