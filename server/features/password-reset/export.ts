import type { AccountExport } from "#server/platform/context.ts";
import { toIso } from "#server/time.ts";
import { listOwnResetLinks } from "./store.ts";

export const accountExport: AccountExport = async ({ db }, { id }) => {
  const links = await listOwnResetLinks(db, id);
  return {
    reset_links: links.map(({ is_mailed, expires_at }) => ({
      is_mailed: is_mailed === 1,
      open_until: toIso(expires_at),
    })),
  };
};
