import * as contract from "#contract/game-servers.ts";
import type { Context } from "#server/platform/context.ts";
import type { Feature } from "#server/platform/feature.ts";
import { handle } from "#server/platform/http/handle.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import { findDrivers, keepServerRunning, listServers, requestSwitch } from "./actions.ts";
import type { Drivers } from "./drivers/create-drivers.ts";
import { createManager } from "./manager/manager.ts";
import type { Timings } from "./manager/timings.ts";

declare module "#server/platform/context.ts" {
  interface TestDoubles {
    readonly gameServers?: { readonly drivers?: Drivers; readonly timings?: Timings };
  }
}

export const channels = (() => [
  { name: contract.gameServersUpdated.channel, permission: "see-game-servers" },
]) satisfies Feature["channels"];

export function addRoutes(context: Context): void {
  const { http, gameServers } = context;
  const manager = createManager(context, findDrivers(context), gameServers?.timings);
  http.fastify.addHook("onClose", () => manager.close());

  handle(http, contract.getGameServers, ({ member }) => listServers(context, manager, member, null));

  handle(http, contract.getGameServer, async ({ params, member }) => {
    const [server] = await listServers(context, manager, member, params.id);
    if (!server) throw refuse("notFound");
    return server;
  });

  handle(http, contract.switchGameServer, async ({ params, body, member }) => ({
    message: await requestSwitch(context, manager, member, params.id, body.state === 1 ? "start" : "stop"),
  }));

  handle(http, contract.keepGameServerRunning, async ({ params }) => ({
    message: await keepServerRunning(context, manager, params.id),
  }));
}
