import { drinkBeer, getCounters, getDrinkers, getTimelyStats, idempotencyKey } from "#contract/beercounter.ts";
import { handle } from "#server/platform/http/handle.ts";
import { refuseField } from "#server/platform/http/refuse.ts";
import type { Platform } from "#server/platform/platform.ts";
import { openTap, readTimelyStats } from "./actions.ts";
import { listDrinkers, readCounters } from "./store.ts";

export function addBeercounterRoutes(platform: Platform): void {
  const { door, db, clock, config } = platform;
  const drink = openTap(platform);

  handle(door, getCounters, ({ member }) => readCounters(db, member.id));

  handle(door, drinkBeer, async ({ member, request, reply }) => {
    const booking = await drink(member, readKey(request.headers["idempotency-key"]));
    if (booking.isReplayed) reply.header("idempotent-replayed", "true");
    return booking.counters;
  });

  handle(door, getDrinkers, async () => ({ users: await listDrinkers(db) }));
  handle(door, getTimelyStats, () => readTimelyStats(db, clock.now(), config.timeZone));
}

function readKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const parsed = idempotencyKey.safeParse(header);
  if (!parsed.success) throw refuseField("Idempotency-Key", "V-in");
  return parsed.data;
}
