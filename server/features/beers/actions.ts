import {
  beercounterUpdated,
  toCounters,
  tapHeaders,
  tapLimits,
  type BeerKind,
  type Charts,
  type CounterEvent,
  type NewTotals,
  rankingLimits,
  type SubscribedCounters,
  type TimelyStats,
  type Totals,
  type getOwnBeers,
} from "#contract/beercounter.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import type { User } from "#contract/members.ts";
import { isShownWith } from "#contract/visibility.ts";
import type { Db } from "#server/db/connect.ts";
import { change } from "#server/platform/change.ts";
import type { Context } from "#server/platform/context.ts";
import { refuse, refuseField } from "#server/platform/http/refusal.ts";
import { keepByVersion } from "#server/platform/http/shared-reply.ts";
import { createBatcher } from "#server/platform/jobs/batcher.ts";
import { coalesce } from "#server/platform/jobs/coalesce.ts";
import { localDay } from "#server/platform/local-day.ts";
import type { RealtimeChannel } from "#server/platform/realtime/options.ts";
import type { Say } from "#server/platform/say.ts";
import { hours, toIso } from "#server/time.ts";
import { announceMilestones, type NewBeer, recordMilestones } from "./milestone-actions.ts";
import * as rules from "./rules.ts";
import * as store from "./store.ts";

/** `bookedAt` is set only for a late beer. */
export interface Tap {
  readonly userId: number;
  readonly key: string | null;
  readonly at: number;
  readonly bookedAt?: number | null;
  readonly kind?: BeerKind;
  readonly origin?: Origin;
}

/** The other member or the tablet, by its name, that booked a beer for its drinker. */
export type Origin = Pick<store.NewBeer, "by_user_id" | "by_tablet">;
const byDrinker: Origin = { by_user_id: null, by_tablet: null };

/** A retried tap gets the totals of its first booking, without a version because they are outdated. */
export type Booking =
  | { readonly isReplayed: false; readonly totals: Totals; readonly version: number }
  | { readonly isReplayed: true; readonly totals: Totals; readonly version: null };

const maxBatch = 500;
const maxWaiting = 5000;
const historyMs = hours(24);
const maxHistory = 200;

/** `age` is the milliseconds since the button was pressed. */
export type BookTap = (
  drinker: User,
  key: string | null,
  age: number,
  kind: BeerKind,
  origin?: Origin,
) => Promise<Booking>;

interface MemberTap extends Tap {
  readonly member: User;
  readonly origin: Origin;
}

interface BookedBeer extends NewBeer {
  readonly version: number;
  /** `false` for a member who is not in the ranking. */
  readonly isRanked: boolean;
  readonly isByOther: boolean;
}

/** Taps that arrive together share one transaction; replies and events follow its commit. */
export function createTapBooking(context: Context): BookTap {
  const { db, config, clock } = context;
  const inFlight = new Set<string>();
  const book = createBatcher<MemberTap, Booking>({
    maxBatch,
    maxWaiting,
    commit: async (taps) => {
      return change(context, null, async (tx, say) => {
        const bookings = await bookBeers(tx, taps, config.timeZone);
        const fresh = listNewBeers(taps, bookings);
        await announceNewBeers(tx, say, context, fresh);
        await announceMilestones(say, await recordMilestones(tx, fresh));
        return bookings;
      });
    },
  });

  return async (member, key, age, kind, origin = byDrinker) => {
    if (age > tapLimits.age) return findBooking(db, member.id, key);
    const flight = key === null ? null : `${member.id} ${key}`;
    if (flight !== null && inFlight.has(flight)) throw refuse("requestInFlight");
    if (flight !== null) inFlight.add(flight);
    try {
      const now = clock.now();
      return await book({
        member,
        userId: member.id,
        key,
        at: now - age,
        bookedAt: rules.lateBookingTime(now, age),
        kind,
        origin,
      });
    } finally {
      if (flight !== null) inFlight.delete(flight);
    }
  };
}

/** Refuses a tap that was never booked, because it is too old to be booked now. */
async function findBooking(db: Db, userId: number, key: string | null): Promise<Booking> {
  const known = key === null ? [] : await store.listByKeys(db, [key]);
  const earlier = known.find((beer) => beer.user_id === userId);
  if (!earlier) throw refuseField(tapHeaders.age, "tooOld");
  return { isReplayed: true, totals: toTotals(earlier), version: null };
}

/** Omits the member of late beers, and members who are not visible. */
function listNewBeers(taps: readonly MemberTap[], bookings: readonly Booking[]): BookedBeer[] {
  return taps.flatMap(({ member, at, bookedAt, origin }, index) => {
    const isLate = Boolean(bookedAt);
    const booking = bookings[index]!;
    if (booking.isReplayed) return [];
    const { totals, version } = booking;
    const beer = { userId: member.id, isLate, at, totals, version };
    const isNamed = !isLate && isShownWith(member.visibility, "announcements");
    return [
      {
        ...beer,
        member: isNamed ? member : null,
        isRanked: isShownWith(member.visibility, "ranking"),
        isByOther: origin.by_user_id !== null,
      },
    ];
  });
}

async function announceNewBeers(tx: Db, say: Say, context: ChartContext, beers: readonly BookedBeer[]): Promise<void> {
  if (beers.length === 0) return;
  const events = beers.map(({ member, totals, version }) => toCounterEvent(totals.group, version, member));
  const event = events.reduce(rules.mergeTotals);
  const totals = beers.flatMap((beer) => (beer.isRanked ? [[beer.userId, beer.totals.own] as [number, number]] : []));
  await say.event(beercounterUpdated, { ...event, ...(await findCharts(tx, context, events[0]!.version - 1, totals)) });
  // A member who books for others causes no pushes in their names.
  const named = new Map(
    beers.flatMap(({ member, isByOther, totals: { own } }) =>
      member && !isByOther ? [[member.id, { member, own }]] : [],
    ),
  );
  await say.push(
    ...[...named.values()].map(({ member, own }) => ({
      kind: "beers" as const,
      senderId: member.id,
      body: `Prost von ${member.name}!`,
      several: { count: own, body: (more: number) => `${more} × Prost von ${member.name}` },
    })),
  );
}

/** Books taps in order, each key at most once per member, and updates all counts. */
export async function bookBeers(tx: Db, taps: readonly Tap[], timeZone: string): Promise<Booking[]> {
  // Adds all taps to the group's total. Taps whose keys are known are subtracted again below.
  const group = await store.addToGroupTotal(tx, taps.length);
  const keys = taps.flatMap(({ key }) => (key === null ? [] : [key]));
  const known = new Map((await store.listByKeys(tx, keys)).map((beer) => [`${beer.user_id} ${beer.key}`, beer]));
  const findKnown = ({ userId, key }: Tap) => (key === null ? undefined : known.get(`${userId} ${key}`));
  const fresh = taps.filter((tap) => !findKnown(tap));

  const days = rules.countDays(fresh, timeZone);
  const members = rules.countMembers(days);
  const ownTotals = await store.addToMembers(tx, members);
  // Resets `ownTotals` to the totals before these taps; the loop below counts up beer by beer.
  for (const { user_id, total } of members) ownTotals.set(user_id, ownTotals.get(user_id)! - total);
  let total = group.total - taps.length;
  let version = group.version - taps.length;

  const beers: store.NewBeer[] = [];
  const bookings: Booking[] = [];
  for (const tap of taps) {
    const earlier = findKnown(tap);
    if (earlier) {
      bookings.push({ isReplayed: true, totals: toTotals(earlier), version: null });
      continue;
    }
    const { userId, key, at, bookedAt = null, kind = null, origin = byDrinker } = tap;
    const own_total = ownTotals.get(userId)! + 1;
    ownTotals.set(userId, own_total);
    total += 1;
    // Each beer has its own version, so that its event is newer than the previous one.
    version += 1;
    const beer = { user_id: userId, key, at, booked_at: bookedAt, kind, group_total: total, own_total, ...origin };
    beers.push(beer);
    bookings.push({ isReplayed: false, totals: toTotals(beer), version });
  }
  await store.createBeers(tx, beers);

  await store.addToDays(tx, days);
  const first_day = rules.earliestDay([group.first_day, ...days.map(({ day }) => day)]);
  if (beers.length < taps.length || first_day !== group.first_day)
    await store.updateGroupTotal(tx, { total, version, first_day });
  return bookings;
}

function toTotals({ group_total, own_total }: { group_total: number; own_total: number }): Totals {
  return { group: group_total, own: own_total };
}

/** `isChanged`: this undo removed a beer; `isReplayed`: the beer was already undone. */
interface Undo extends store.VersionedTotals {
  readonly isChanged: boolean;
  readonly isReplayed: boolean;
}

/** Refuses to undo the beer. */
type CheckUndo = (beer: Beer, now: number) => void;
type Beer = NonNullable<Awaited<ReturnType<typeof store.findBeer>>>;

/**
 * Stores a key that was never booked, so that a tap that arrives later with this key does not count. `check` is for
 * others than the drinker.
 */
export async function undoBeer(
  context: Context,
  userId: number,
  which: store.BeerSelector,
  check: CheckUndo = () => {},
): Promise<Omit<Undo, "isChanged">> {
  const { clock, config } = context;
  const now = clock.now();
  return change(context, userId, async (tx, say) => {
    const { isChanged, ...state } = await unbook(tx, userId, which, now, config.timeZone, check);
    if (isChanged) await publishCounterChange(tx, say);
    return state;
  });
}

async function unbook(
  tx: Db,
  userId: number,
  which: store.BeerSelector,
  now: number,
  timeZone: string,
  check: CheckUndo,
): Promise<Undo> {
  await store.lockGroupTotal(tx);
  const beer = await store.findBeer(tx, userId, which);
  if (!beer) {
    const state = await store.findTotals(tx, userId);
    const isReplayed = await store.isUndone(tx, userId, which);
    if (!isReplayed) {
      if ("id" in which) throw refuse("notFound");
      const { group: group_total, own: own_total } = state.totals;
      await store.createUndoneBeer(tx, { user_id: userId, key: which.key, beer_id: null, group_total, own_total });
    }
    return { ...state, isChanged: false, isReplayed };
  }
  check(beer, now);
  if (rules.remainingUndoTime(beer, now) === 0) throw refuse("undoTooLate");
  await removeBeers(tx, userId, [beer.id], timeZone);
  return { ...(await store.findTotals(tx, userId)), isChanged: true, isReplayed: false };
}

/** Deletes beers of any age and returns their number. Their keys remain used, so that a retried tap does not count. */
export async function removeBeers(tx: Db, userId: number, ids: readonly number[], timeZone: string): Promise<number> {
  const group = await store.lockGroupTotal(tx);
  const beers = await store.deleteBeers(tx, userId, ids);
  if (beers.length === 0) return 0;
  for (const { id, key, group_total, own_total } of beers)
    await store.createUndoneBeer(tx, { user_id: userId, key, beer_id: id, group_total, own_total });
  const days = rules.countDays(
    beers.map(({ at, kind }) => ({ userId, at, kind, count: -1 })),
    timeZone,
  );
  await store.addToMembers(tx, rules.countMembers(days));
  await store.addToDays(tx, days);
  const first_day = await store.deleteEmptyDays(tx, userId);
  await store.updateGroupTotal(tx, { total: group.total - beers.length, version: group.version + 1, first_day });
  return beers.length;
}

export async function listRecentBeers(db: Db, userId: number, now: number): Promise<ReplyOf<typeof getOwnBeers>> {
  const since = now - historyMs;
  const isRecent = ({ at, booked_at }: Pick<Beer, "at" | "booked_at">): boolean => (booked_at ?? at) >= since;
  const own = await store.listOwnBeers(db, userId, since - tapLimits.age, maxHistory);
  const forOthers = await store.listBeersForOthers(db, userId, since - tapLimits.age, maxHistory);
  const toShown = (beer: Pick<Beer, "key" | "at" | "booked_at" | "kind">) => ({
    key: beer.key,
    at: toIso(beer.at),
    late: beer.booked_at !== null,
    kind: beer.kind,
    removable_seconds: Math.ceil(rules.remainingUndoTime(beer, now) / 1000),
  });
  return {
    beers: own
      .filter(isRecent)
      .map((beer) => ({ ...toShown(beer), id: beer.id, booked_by: rules.describeOrigin(beer) })),
    for_others: forOthers
      .filter(isRecent)
      .map((beer) => ({ ...toShown(beer), member: { id: beer.drinker_id, name: beer.drinker } })),
  };
}

/**
 * Notifies open pages of a change without a new beer. Call this in the transaction of the change, after raising the
 * version.
 */
export async function publishCounterChange(tx: Db, say: Say): Promise<void> {
  const { total, version } = await store.findGroupTotal(tx);
  await say.event(beercounterUpdated, toCounterEvent(total, version, null));
}

/**
 * Notifies open pages of beers of guests. Call this in the transaction of the change, which has raised the version by
 * one.
 */
export async function publishGuestBeers(tx: Db, say: Say, context: ChartContext): Promise<void> {
  const { total, version } = await store.findGroupTotal(tx);
  await say.event(beercounterUpdated, {
    ...toCounterEvent(total, version, null),
    ...(await findCharts(tx, context, version - 1, [])),
  });
}

/** Reads what the beers of these members have changed since a version. */
async function findCharts(
  db: Db,
  { clock, config, findPartyNumbers }: ChartContext,
  since: number,
  totals: NewTotals,
): Promise<Charts> {
  const merged = [...new Map(totals)];
  const weekdays = await findTimelyStats(db, clock.now(), config.timeZone);
  const parties = await findPartyNumbers(
    db,
    merged.map(([id]) => id),
  );
  return { since, totals: merged, weekdays, parties };
}

/** `member` is `null` if the event names no drinker. */
function toCounterEvent(total: number, version: number, member: User | null): CounterEvent {
  const { id = null, name = null, avatarId = null } = member ?? {};
  return { counterVal: total, userId: id, userName: name, avatarId, version };
}

type ChartContext = Pick<Context, "clock" | "config" | "findPartyNumbers">;

/** Pages that subscribe get their counters and the charts; pages that may have missed events get `resync`. */
export function beercounterChannel(context: ChartContext & Pick<Context, "db">): RealtimeChannel {
  const { db, clock, config, findPartyNumbers } = context;
  const findRanking = keepByVersion(createDayVersion(context), async () => {
    const { version: since } = await store.findGroupTotal(db);
    const drinkers = await store.listDrinkers(db);
    const totals = drinkers.map(({ id, beercounter_entries_count: total }) => [id, total] as [number, number]);
    return { since, totals, weekdays: await findTimelyStats(db, clock.now(), config.timeZone) };
  });
  const findAllCharts = coalesce(async () => {
    const { totals, ...ranking } = await findRanking();
    const parties = await findPartyNumbers(
      db,
      totals.map(([id]) => id),
    );
    return { ...ranking, parties, ...(totals.length <= rankingLimits.all && { totals }) };
  });
  return {
    name: beercounterUpdated.channel,
    state: async (userId): Promise<SubscribedCounters> => {
      const { totals, version } = await store.findTotals(db, userId);
      return { version, counters: toCounters(totals), ...(await findAllCharts()) };
    },
    merge: (_, earlier, later) => rules.mergeTotals(earlier as CounterEvent, later as CounterEvent),
    resync: async () => {
      const { total, version } = await store.findGroupTotal(db);
      return { event: beercounterUpdated.name, data: toCounterEvent(total, version, null) };
    },
  };
}

/** Returns a version that changes with the counters, their ranking, and the day. */
export function createDayVersion({ db, clock, config }: Pick<Context, "db" | "clock" | "config">) {
  return async () => `${(await store.findGroupTotal(db)).version} ${localDay(clock.now(), config.timeZone)}`;
}

export async function findTimelyStats(db: Db, now: number, timeZone: string): Promise<TimelyStats> {
  const today = localDay(now, timeZone);
  const week = rules.weekOf(today);
  const group = await store.findGroupTotal(db);
  const days = await store.countByDay(db, week[0]!, week[6]!);
  const weekdays = await store.countByWeekday(db);
  return rules.calculateTimelyStats(today, group.first_day, days, weekdays);
}
