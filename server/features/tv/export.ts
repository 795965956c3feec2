import type { AccountExport } from "#server/platform/context.ts";
import { toIso } from "#server/time.ts";
import * as store from "./store.ts";

export const accountExport: AccountExport = async ({ db }, { id }) => {
  const links = await store.listOwnLinks(db, id);
  return {
    tv_links_made: links.map(({ name, created_at, last_used_at }) => ({
      name,
      made_at: toIso(created_at),
      last_used_at: toIso(last_used_at),
    })),
  };
};
