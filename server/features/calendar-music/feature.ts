import { defineFeature } from "#server/platform/feature.ts";
import { addAdminRoutes } from "./admin-routes.ts";
import { addRoutes } from "./routes.ts";
import { tables } from "./tables.ts";

export const calendarMusicFeature = defineFeature({ name: "calendar-music", tables, addRoutes, addAdminRoutes });
