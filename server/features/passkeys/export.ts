import type { AccountExport } from "#server/platform/context.ts";
import { toIso } from "#server/time.ts";
import { listPasskeys } from "./store.ts";

export const accountExport: AccountExport = async ({ db }, { id }) => {
  const passkeys = await listPasskeys(db, id);
  return {
    passkeys: passkeys.map(({ name, credential_id, created_at, last_used_at }) => ({
      name,
      credential_id,
      created_at: toIso(created_at),
      last_used_at: last_used_at === null ? null : toIso(last_used_at),
    })),
  };
};
