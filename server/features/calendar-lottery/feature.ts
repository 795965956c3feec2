import { defineFeature } from "#server/platform/feature.ts";
import { seedDemo } from "./demo.ts";
import { accountExport } from "./export.ts";
import { jobs } from "./jobs.ts";
import { addRoutes, userItems } from "./routes.ts";
import { tables } from "./tables.ts";

export const calendarLotteryFeature = defineFeature({
  name: "calendar-lottery",
  tables,
  addRoutes,
  userItems,
  jobs,
  accountExport,
  seedDemo,
});
