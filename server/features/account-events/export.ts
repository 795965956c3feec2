import { paginate } from "#server/db/paginate.ts";
import type { AccountExport } from "#server/platform/context.ts";
import { toIso } from "#server/time.ts";
import { maxEventId } from "./rules.ts";
import { listAccountEvents } from "./store.ts";

export const exportAccountEvents: AccountExport = async ({ db }, { id: userId }) => {
  async function* events() {
    const pages = paginate(
      maxEventId,
      (before, limit) => listAccountEvents(db, userId, before, limit),
      ({ id }) => id,
    );
    for await (const rows of pages) yield rows.map(({ at, kind, device }) => ({ at: toIso(at), kind, device }));
  }
  return { account_events: events() };
};
