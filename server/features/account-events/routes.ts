import { getAccountEvents } from "#contract/account-events.ts";
import { maxId } from "#server/db/paginate.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { toIso } from "#server/time.ts";
import { listAccountEvents } from "./store.ts";

const maxShown = 50;

export function addRoutes({ http, db }: Context): void {
  handle(http, getAccountEvents, async ({ member }) =>
    (await listAccountEvents(db, member.id, maxId, maxShown)).map((event) => ({ ...event, at: toIso(event.at) })),
  );
}
