import { getGameServer, getGameServers, keepGameServerRunning, switchGameServer } from "#contract/game-servers.ts";
import { handle } from "#server/platform/http/handle.ts";
import { refuse } from "#server/platform/http/refuse.ts";
import type { Platform } from "#server/platform/platform.ts";
import { keepServerRunning, lookAtServers, switchServer } from "./actions.ts";
import { type Drivers, openDrivers } from "./drivers/kinds.ts";
import { openManager } from "./manager/manager.ts";
import type { Timings } from "./manager/timings.ts";

/** What tests put in the place of engines and patience. */
export interface GameServerOptions {
  readonly drivers?: Drivers;
  readonly timings?: Timings;
}

export function addGameServerRoutes(platform: Platform, { drivers, timings }: GameServerOptions = {}): void {
  const { door, config } = platform;
  const manager = openManager(platform, drivers ?? openDrivers(config), timings);
  door.app.addHook("onClose", () => manager.close());

  handle(door, getGameServers, () => lookAtServers(platform, manager, null));

  handle(door, getGameServer, async ({ params }) => {
    const [server] = await lookAtServers(platform, manager, Number(params.id));
    if (!server) throw refuse("M404");
    return server;
  });

  handle(door, switchGameServer, async ({ params, body, member }) => ({
    message: await switchServer(platform, manager, member, Number(params.id), body.state === 1 ? "start" : "stop"),
  }));

  handle(door, keepGameServerRunning, async ({ params }) => ({
    message: await keepServerRunning(platform, manager, Number(params.id)),
  }));
}
