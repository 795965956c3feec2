import type { AccountExport } from "#server/platform/context.ts";
import { toIso } from "#server/time.ts";
import { listOwnParties } from "./store.ts";

export const accountExport: AccountExport = async ({ db }, { id }) => {
  const parties = await listOwnParties(db, id);
  return {
    parties: parties.map(({ name, starts_at, ends_at, created_by, user_id }) => ({
      name,
      starts_at: toIso(starts_at),
      ends_at: toIso(ends_at),
      started: created_by === id,
      joined: user_id !== null,
    })),
  };
};
