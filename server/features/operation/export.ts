import { paginate } from "#server/db/paginate.ts";
import type { AccountExport } from "#server/platform/context.ts";
import { toIso } from "#server/time.ts";
import * as store from "./audit-store.ts";

export const accountExport: AccountExport = async ({ db }, { id }) => {
  async function* entries() {
    const pages = paginate({ id: 0 }, (after, limit) => store.listOwnAudit(db, id, after.id, limit));
    for await (const rows of pages) {
      yield rows.map(({ at, action, actor_id, member_id, details }) => ({
        at: toIso(at),
        action,
        by_me: actor_id === id,
        about_me: member_id === id,
        details: JSON.parse(details) as object,
      }));
    }
  }
  return { audit: entries() };
};
