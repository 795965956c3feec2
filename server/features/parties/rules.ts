import type { PartyRecap } from "#contract/party-recap.ts";
import { partyLimits, type ShownParty } from "#contract/party.ts";
import { addDays } from "#server/features/beers/rules.ts";
import { epochOf, localDay, localTime } from "#server/platform/local-day.ts";
import { hours, minutes, toIso } from "#server/time.ts";

/** A party that starts before this time belongs to the previous evening. */
const dayBegins = "06:00";

/** Returns the next noon in `timeZone`, or noon of the following day for a start at 6:00 or later. */
export function findAutomaticEnd(startsAt: number, timeZone: string): number {
  const today = localDay(startsAt, timeZone);
  const day = localTime(startsAt, timeZone) < dayBegins ? today : addDays(today, 1);
  return epochOf(day, "12:00", timeZone);
}

export function isRunning(
  { starts_at, ends_at }: { readonly starts_at: number; readonly ends_at: number },
  now: number,
): boolean {
  return starts_at <= now && ends_at > now;
}

const roundNumbers = [10, 25, 50, 100, 250, 500, 1000];

/** Returns `null` below the first. */
export function lastRoundNumber(total: number): number | null {
  return roundNumbers.findLast((count) => count <= total) ?? null;
}

export interface Viewer {
  readonly id: number;
  readonly permissions: readonly string[];
}

/** Returns `true` for the creator and for administrators. */
export function isManager({ id, permissions }: Viewer, { created_by }: { readonly created_by: number }): boolean {
  return id === created_by || permissions.includes("admin");
}

interface StayElsewhere {
  readonly starts_at: number;
  readonly ends_at: number;
  readonly counts_from: number;
  readonly counts_until: number | null;
}

/**
 * Returns two hours ago, or the end of the member's last stay at another party since then, so that no beer moves along
 * from party to party. Returns `null` if only beers since the start count.
 */
export function findEarliestBeer(
  { starts_at }: { readonly starts_at: number },
  now: number,
  elsewhere: readonly StayElsewhere[],
): number | null {
  const ends = elsewhere
    .filter((stay) => (stay.counts_from || stay.starts_at) < starts_at)
    .map((stay) => Math.min(stay.counts_until ?? stay.ends_at, stay.ends_at));
  const earliest = Math.max(now - partyLimits.earlier, ...ends);
  return earliest < starts_at ? earliest : null;
}

/**
 * Beers in one quarter of an hour, numbered from the epoch. `first` and `last` are the times (epoch ms) of the first
 * and last beer.
 */
interface QuarterCount {
  /** `null` for guests of a party. */
  readonly user_id: number | null;
  readonly quarter: number;
  readonly count: number;
  readonly first: number;
  readonly last: number;
}

export function countByMember(counts: readonly QuarterCount[]): ReadonlyMap<number | null, number> {
  return sumBy(counts, ({ user_id }) => user_id);
}

/** Includes guests in `total`, and empty hours in `hours`. */
export function summarizeTimes(
  counts: readonly QuarterCount[],
): Pick<ShownParty, "total" | "guest_total" | "hours" | "first_beer_at" | "last_beer_at"> {
  if (counts.length === 0) return { total: 0, guest_total: 0, hours: [], first_beer_at: null, last_beer_at: null };
  const byHour = sumBy(counts, ({ quarter }) => Math.floor(quarter / 4));
  const first = Math.min(...byHour.keys());
  const length = Math.max(...byHour.keys()) - first + 1;
  return {
    total: counts.reduce((sum, { count }) => sum + count, 0),
    guest_total: countByMember(counts).get(null) ?? 0,
    hours: Array.from({ length }, (_, index) => ({
      at: toIso(hours(first + index)),
      total: byHour.get(first + index) ?? 0,
    })),
    first_beer_at: toIso(Math.min(...counts.map((count) => count.first))),
    last_beer_at: toIso(Math.max(...counts.map((count) => count.last))),
  };
}

/** Returns `null` without beers. `names` has the members who may be named, by id. */
export function summarizeRecap(
  counts: readonly QuarterCount[],
  startsAt: number,
  names: ReadonlyMap<number, string>,
): Omit<PartyRecap, "round"> | null {
  if (counts.length === 0) return null;
  const byQuarter = sumBy(counts, ({ quarter }) => quarter);
  const guestsByQuarter = sumBy(
    counts.filter(({ user_id }) => user_id === null),
    ({ quarter }) => quarter,
  );
  const start = Math.min(Math.floor(startsAt / quarterLength), ...byQuarter.keys());
  const length = Math.max(...byQuarter.keys()) - start + 1;
  const quarters = Array.from({ length }, (_, index) => ({
    at: toIso((start + index) * quarterLength),
    total: byQuarter.get(start + index) ?? 0,
    guest_total: guestsByQuarter.get(start + index) ?? 0,
  }));
  const first = counts.reduce((one, other) => (other.first < one.first ? other : one));
  const last = counts.reduce((one, other) => (other.last > one.last ? other : one));
  const nameOf = ({ user_id }: QuarterCount): string | null => (user_id === null ? null : (names.get(user_id) ?? null));
  return {
    quarters,
    busiest: findBusiest(quarters),
    first: { at: toIso(first.first), name: nameOf(first) },
    last: { at: toIso(last.last), name: nameOf(last) },
  };
}

export const quarterLength = minutes(15);

function findBusiest(quarters: PartyRecap["quarters"]): PartyRecap["busiest"] {
  const most = Math.max(...quarters.map(({ total }) => total));
  const busiest = quarters.find(({ total }) => total === most);
  if (!busiest || most < 2) return null;
  const { at, guest_total } = busiest;
  return { from: at, to: toIso(Date.parse(at) + quarterLength), total: most, guest_total };
}

function sumBy<Key>(counts: readonly QuarterCount[], keyOf: (count: QuarterCount) => Key): Map<Key, number> {
  const sums = new Map<Key, number>();
  for (const count of counts) sums.set(keyOf(count), (sums.get(keyOf(count)) ?? 0) + count.count);
  return sums;
}
