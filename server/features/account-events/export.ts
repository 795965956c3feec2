import { maxId, paginate } from "#server/db/paginate.ts";
import type { AccountExport } from "#server/platform/context.ts";
import { toIso } from "#server/time.ts";
import { listAccountEvents } from "./store.ts";

export const accountExport: AccountExport = async ({ db }, { id: userId }) => {
  async function* events() {
    const pages = paginate({ id: maxId }, (before, limit) => listAccountEvents(db, userId, before.id, limit));
    for await (const rows of pages) yield rows.map(({ at, kind, device }) => ({ at: toIso(at), kind, device }));
  }
  return { account_events: events() };
};
