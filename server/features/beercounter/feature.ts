import type { Feature } from "#server/platform/feature.ts";
import { beercounterChannel } from "./actions.ts";
import { beercounterCommands } from "./commands.ts";
import { seedBeers } from "./demo.ts";
import { exportBeers } from "./export.ts";
import { recountDays } from "./jobs.ts";
import { addBeercounterRoutes } from "./routes.ts";
import { findCounters } from "./store.ts";
import { tables } from "./tables.ts";

export const feature = {
  routes: addBeercounterRoutes,
  tables,
  channels: (db) => [beercounterChannel(db)],
  commands: beercounterCommands,
  userItems: async (db, { id }) => ({ beercounter: { ...(await findCounters(db, id)).counters, memberId: id } }),
  accountExport: exportBeers,
  demo: seedBeers,
  onUpgrade: recountDays,
} satisfies Feature;
