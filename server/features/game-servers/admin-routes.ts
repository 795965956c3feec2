import * as contract from "#contract/game-servers.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import * as actions from "./actions.ts";

export function addAdminRoutes(context: Context): void {
  const { http } = context;
  handle(http, contract.getManagedGameServers, () => actions.listManagedGameServers(context));
  handle(http, contract.addGameServer, ({ member, body }) => actions.addContainer(context, member, body));
  handle(http, contract.changeGameServer, ({ member, params, body }) =>
    actions.updateServer(context, member, params.id, body),
  );
  handle(http, contract.orderGameServers, ({ member, body }) => actions.reorderServers(context, member, body.ids));
  handle(http, contract.removeGameServer, ({ member, params }) => actions.removeServer(context, member, params.id));
  handle(http, contract.testGameServer, ({ params }) => actions.testConnection(context, params.id));
}
