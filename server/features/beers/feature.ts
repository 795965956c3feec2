import { feature } from "#server/platform/feature.ts";
import { commands } from "./commands.ts";
import { seedDemo } from "./demo.ts";
import { accountExport } from "./export.ts";
import { onUpgrade } from "./jobs.ts";
import { addRoutes, channels } from "./routes.ts";
import { tables } from "./tables.ts";

export const beers = feature({
  name: "beers",
  tables,
  routes: [addRoutes],
  channels,
  onUpgrade,
  commands,
  accountExport,
  seedDemo,
});
