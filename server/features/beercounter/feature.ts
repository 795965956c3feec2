import type { Feature } from "#server/platform/feature.ts";
import { beercounterChannel } from "./actions.ts";
import { beercounterCommands } from "./commands.ts";
import { seedBeers } from "./demo.ts";
import { exportBeers } from "./export.ts";
import { recountDays } from "./jobs.ts";
import { addBeercounterRoutes } from "./routes.ts";
import { tables } from "./tables.ts";

export const feature = {
  routes: addBeercounterRoutes,
  tables,
  channels: (db) => [beercounterChannel(db)],
  commands: beercounterCommands,
  accountExport: exportBeers,
  demo: seedBeers,
  onUpgrade: recountDays,
} satisfies Feature;
