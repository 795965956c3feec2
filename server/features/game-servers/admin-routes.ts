import type { BodyOf } from "#contract/endpoint.ts";
import * as contract from "#contract/game-servers.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { refuseField } from "#server/platform/http/refusal.ts";
import * as actions from "./actions.ts";

export function addAdminRoutes(context: Context): void {
  const { http } = context;
  handle(http, contract.getManagedGameServers, () => actions.listManagedGameServers(context));
  handle(http, contract.addGameServer, async ({ member, body }) => {
    const setup = { ...toSettings(body), driver: "docker", ref: body.ref } as const;
    const id = await actions.addGameServer(context, setup, member.id);
    return { message: `${body.display_name} ist angelegt.`, id };
  });
  handle(http, contract.changeGameServer, async ({ member, params, body }) => {
    await actions.updateGameServer(context, params.id, toSettings(body), member.id);
    return { message: `${body.display_name} ist gespeichert.` };
  });
  handle(http, contract.orderGameServers, ({ member, body }) => actions.orderGameServers(context, body.ids, member.id));
  handle(http, contract.removeGameServer, ({ member, params }) =>
    actions.removeGameServer(context, params.id, member.id),
  );
  handle(http, contract.testGameServer, ({ params }) => actions.testConnection(context, params.id));
}

type GameServerForm = BodyOf<typeof contract.changeGameServer>;

function toSettings({ display_name, address, query, grace, idle_stop }: GameServerForm) {
  if (query !== "none" && address === null) throw refuseField("address", "required");
  if (idle_stop !== null && query === "none") throw refuseField("query", "required");
  return { display_name, address, query, grace_seconds: grace, idle_stop_minutes: idle_stop };
}
