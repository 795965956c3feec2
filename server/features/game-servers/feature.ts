import { gameServersUpdated } from "#contract/game-servers.ts";
import type { Feature } from "#server/platform/feature.ts";
import { gameServerCommands } from "./commands.ts";
import { seedGameServers } from "./demo.ts";
import { engineFilterCommands } from "./drivers/engine-filter-command.ts";
import { addGameServerRoutes } from "./routes.ts";
import { tables } from "./tables.ts";

export const feature = {
  routes: addGameServerRoutes,
  tables,
  channels: () => [{ name: gameServersUpdated.channel, permission: "see-game-servers" }],
  commands: [...gameServerCommands, ...engineFilterCommands],
  demo: seedGameServers,
} satisfies Feature;
