import { defineFeature } from "#server/platform/feature.ts";
import { commands } from "./commands.ts";
import { seedDemo } from "./demo.ts";
import { accountExport } from "./export.ts";
import { jobs } from "./jobs.ts";
import { addRoutes } from "./routes.ts";
import { tables } from "./tables.ts";

export const christmasCalendarFeature = defineFeature({
  name: "christmas-calendar",
  tables,
  addRoutes,
  jobs,
  commands,
  accountExport,
  seedDemo,
});
