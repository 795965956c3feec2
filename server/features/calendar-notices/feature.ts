import { defineFeature } from "#server/platform/feature.ts";
import { accountExport } from "./export.ts";
import { addRoutes, channels } from "./routes.ts";
import { tables } from "./tables.ts";

export const calendarNoticesFeature = defineFeature({
  name: "calendar-notices",
  tables,
  addRoutes,
  channels,
  accountExport,
});
