import type { Feature } from "#server/platform/feature.ts";
import { christmasCalendarCommands } from "./commands.ts";
import { seedCalendar } from "./demo.ts";
import { exportOpenedDoors } from "./export.ts";
import { addChristmasCalendarRoutes } from "./routes.ts";
import { tables } from "./tables.ts";

export const feature = {
  routes: addChristmasCalendarRoutes,
  tables,
  commands: christmasCalendarCommands,
  accountExport: exportOpenedDoors,
  demo: seedCalendar,
} satisfies Feature;
