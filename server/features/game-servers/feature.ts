import { feature } from "#server/platform/feature.ts";
import { addAdminRoutes } from "./admin-routes.ts";
import { commands } from "./commands.ts";
import { seedDemo } from "./demo.ts";
import { accountExport } from "./export.ts";
import { addRoutes, channels } from "./routes.ts";
import { tables } from "./tables.ts";

export const gameServers = feature({
  name: "game-servers",
  tables,
  routes: [addRoutes, addAdminRoutes],
  channels,
  commands,
  accountExport,
  seedDemo,
});
