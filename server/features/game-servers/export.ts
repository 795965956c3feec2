import type { AccountExport } from "#server/platform/context.ts";
import { toIso } from "#server/time.ts";
import * as store from "./store.ts";

export const accountExport: AccountExport = async ({ db }, { id }) => {
  const servers = await store.listGameServersChangedBy(db, id);
  return {
    game_servers_changed_last: servers.map(({ display_name, wanted, changed_at }) => ({
      name: display_name,
      requested: wanted,
      at: toIso(changed_at),
    })),
  };
};
