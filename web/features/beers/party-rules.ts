import type { CounterEvent, NewTotals } from "#contract/beercounter.ts";
import { partyLimits, type RunningParty, type ShownParty } from "#contract/party.ts";
import { formatBeers, formatCount, formatList, formatNumber, formatTimeOfDay } from "#web/ui/german.ts";
import { displayedCounters, isOutdated, type CounterState } from "./counter-rules.ts";

export function partyPath(id: number): string {
  return `/party/${id}`;
}

export function partyTopic(id: number): string {
  return `party-${id}`;
}

export type JoinableParty = Pick<RunningParty, "id" | "starts_at" | "earlier">;

export function describeEarlier({ starts_at, earlier }: JoinableParty, now: number, timeZone: string): string {
  const isLonger = now - Date.parse(starts_at) > partyLimits.earlier;
  const since = isLonger ? `seit ${formatTimeOfDay(starts_at, timeZone)}` : "in den letzten zwei Stunden";
  return earlier === 1
    ? `Du hast ${since} ein Bier getrunken. Soll es bei der Party zählen?`
    : `Du hast ${since} ${formatBeers(earlier)} getrunken. Sollen sie bei der Party zählen?`;
}

type Sum = Pick<RunningParty, "total" | "guest_total">;

/** Returns "12 und 2 von Gästen"; `null` without guests' beers. */
export function describeSum({ total, guest_total }: Sum): string | null {
  return guest_total === 0 ? null : `${formatNumber(total - guest_total)} ${andGuests(guest_total)}`;
}

/** Returns "14 Biere" or "12 Biere und 2 von Gästen". */
export function formatSum({ total, guest_total }: Sum): string {
  const own = formatBeers(total - guest_total);
  return guest_total === 0 ? own : `${own} ${andGuests(guest_total)}`;
}

function andGuests(count: number): string {
  return `und ${formatNumber(count)} von Gästen`;
}

/** Returns "Dabei: Anna, Ben und 6 weitere", or "Dabei: 2 Leute" without names. */
export function describePartyPeople(users: readonly { readonly name: string }[], others: number): string {
  const names = users.slice(0, 3).map(({ name }) => name);
  const more = users.length - names.length + others;
  if (names.length === 0) return `Dabei: ${formatCount(more, "Person", "Leute")}`;
  return `Dabei: ${more > 0 ? `${names.join(", ")} und ${formatNumber(more)} weitere` : formatList(names)}`;
}

export type NewNumbers = Pick<CounterEvent, "version" | "totals" | "parties">;

type OwnNumbers = Pick<
  RunningParty,
  "id" | "total" | "guest_total" | "own_total" | "user_counter" | "counters_version"
>;

/** Returns `null` if the party must be refetched: the event lacks it or this member's beers. */
export function updateParty<Party extends OwnNumbers>(party: Party, event: NewNumbers, memberId: number): Party | null {
  const numbers = event.parties?.find(({ id }) => id === party.id);
  if (!numbers) return null;
  const { total, guest_total } = numbers;
  const own = findTotal(numbers.totals, memberId) ?? party.own_total;
  const user_counter = findTotal(event.totals ?? [], memberId) ?? party.user_counter;
  return { ...party, total, guest_total, own_total: own, user_counter, counters_version: event.version };
}

/** Returns `null` if the party must be refetched: it has ended, or beers of guests or of new members have changed. */
export function updateShownParty(party: ShownParty, event: NewNumbers, memberId: number): ShownParty | null {
  const next = updateParty(party, event, memberId);
  if (next === null || next.guest_total !== party.guest_total) return null;
  const totals = new Map(event.parties?.find(({ id }) => id === party.id)?.totals);
  if (![...totals.keys()].every((id) => party.users.some((user) => user.id === id))) return null;
  const users = party.users.map((user) => ({
    ...user,
    beercounter_entries_count: totals.get(user.id) ?? user.beercounter_entries_count,
  }));
  return { ...next, users };
}

function findTotal(totals: NewTotals, memberId: number): number | undefined {
  return totals.find(([id]) => id === memberId)?.[1];
}

type OwnPart = Pick<RunningParty, "is_running" | "is_member" | "user_counter" | "counters_version">;

/**
 * Returns the member's beers that a party's numbers lack: positive after taps, negative after undos. 0 if the counter
 * is older, which may then only lack new beers.
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

/** Takes a negative number for undone beers. */
export function addOwnBeers<Party extends Counted>(party: Party, beers: number): Party {
  const add = (count: number): number => Math.max(0, count + beers);
  return { ...party, total: add(party.total), own_total: add(party.own_total) };
}
