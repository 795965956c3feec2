import type { RunningParty } from "#contract/party.ts";
import { displayedCounters, isOutdated, type CounterState } from "#web/shared/beers/counter-rules.ts";
import { formatCount, formatList, formatNumber, formatTimeOfDay } from "#web/ui/german.ts";

export function partyPath(id: number): string {
  return `/party/${id}`;
}

/** The topic of the flash message that offers to join a party. */
export function partyTopic(id: number): string {
  return `party-${id}`;
}

/** The fields of a party needed to join it. */
export type JoinableParty = Pick<RunningParty, "id" | "starts_at" | "earlier">;

/**
 * Returns the question whether the member's earlier beers should count at a party: "Du hast seit
 * 20:30 Uhr schon 3 getrunken. Sollen sie zählen?"
 */
export function describeEarlier({ starts_at, earlier }: JoinableParty, timeZone: string): string {
  const since = formatTimeOfDay(starts_at, timeZone);
  return earlier === 1
    ? `Du hast seit ${since} schon ein Bier getrunken. Soll es zählen?`
    : `Du hast seit ${since} schon ${earlier} getrunken. Sollen sie zählen?`;
}

/**
 * Names the people at a party: "Dabei: Anna und Ben", "Dabei: Anna, Ben und 6 weitere", or "Dabei:
 * 2 Leute" without names.
 */
export function describePresent(users: RunningParty["users"], others: number): string {
  const names = users.slice(0, 3).map(({ name }) => name);
  const more = users.length - names.length + others;
  if (names.length === 0) return `Dabei: ${formatCount(more, "Person", "Leute")}`;
  return `Dabei: ${more > 0 ? `${names.join(", ")} und ${formatNumber(more)} weitere` : formatList(names)}`;
}

type OwnPart = Pick<RunningParty, "is_running" | "is_member" | "user_counter" | "counters_version">;

/**
 * Returns the number of the member's beers that the counter shows and a party's numbers do not
 * include yet: positive after taps, negative after undos. Returns 0 instead of a negative number if
 * the counter is older than the party's numbers, because the counter may then only lack new beers.
 */
export function countUnseenBeers(party: OwnPart, counters: CounterState | undefined): number {
  if (!party.is_running || !party.is_member || counters === undefined) return 0;
  const beers = displayedCounters(counters).own - party.user_counter;
  const version = isOutdated(counters) ? counters.own.version : counters.group.version;
  return beers < 0 && version < party.counters_version ? 0 : beers;
}

interface Counted {
  readonly total: number;
  readonly own_total: number;
}

/** Adds beers of the member to a party's numbers; a negative number subtracts undone beers. */
export function addOwnBeers<Party extends Counted>(party: Party, beers: number): Party {
  const add = (count: number): number => Math.max(0, count + beers);
  return { ...party, total: add(party.total), own_total: add(party.own_total) };
}
