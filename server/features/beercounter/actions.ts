import { beercounterUpdated, type Counters, type TimelyStats } from "#contract/beercounter.ts";
import { type Db, inTransaction } from "#server/db/connect.ts";
import { openGroupCommit } from "#server/platform/group-commit.ts";
import type { Member } from "#server/platform/http/member.ts";
import { refuse } from "#server/platform/http/refuse.ts";
import { localDay } from "#server/platform/local-day.ts";
import type { Platform } from "#server/platform/platform.ts";
import type { RealtimeChannel } from "#server/platform/realtime/options.ts";
import { readSetting, writeSetting } from "#server/platform/settings/store.ts";
import { countBy, timelyStats, weekdayOf, weekOf } from "./rules.ts";
import {
  addToDays,
  addToMembers,
  addToWeekdays,
  clearDays,
  countByQuarterHour,
  deleteBeersOf,
  findByKeys,
  insertBeers,
  lockGroup,
  readDays,
  readGroup,
  readWeekdays,
  setGroup,
  tidyDays,
} from "./store.ts";

/** One beer to book. `at` is epoch ms by the server's clock. */
export interface Tap {
  readonly userId: number;
  readonly key: string | null;
  readonly at: number;
}

export interface Booking {
  readonly counters: Counters;
  /** The key had been booked before; these are the counters it got then. */
  readonly isReplayed: boolean;
  readonly version: number;
}

const maxBatch = 500;
const maxWaiting = 5000;

export type Drink = (member: Member, key: string | null) => Promise<Booking>;

/** Taps that arrive together are booked in one durable commit; nobody is answered, and nothing is published, before it. */
export function openTap({ db, config, clock, realtime }: Platform): Drink {
  const inFlight = new Set<string>();
  const book = openGroupCommit<Tap & { member: Member }, Booking>({
    maxBatch,
    maxWaiting,
    commit: async (taps) => {
      const bookings = await inTransaction(db, (tx) => bookBeers(tx, taps, config.timeZone));
      publishLatest(taps, bookings);
      return bookings;
    },
  });

  /** One event per member and commit: each carries the newest total, so none between them is missed. */
  function publishLatest(taps: readonly { member: Member }[], bookings: readonly Booking[]): void {
    const latest = new Map<number, { member: Member; booking: Booking }>();
    bookings.forEach((booking, index) => {
      const { member } = taps[index]!;
      if (booking.isReplayed) return;
      latest.delete(member.id);
      latest.set(member.id, { member, booking });
    });
    for (const { member, booking } of latest.values()) {
      realtime.publish(beercounterUpdated.name, beercounterUpdated.channel, {
        counterVal: booking.counters.KSKCounterVal,
        userId: member.id,
        userName: member.name,
        avatarId: member.avatarId,
        version: booking.version,
      });
    }
  }

  return async (member, key) => {
    const flight = key === null ? null : `${member.id} ${key}`;
    if (flight !== null && inFlight.has(flight)) throw refuse("M409key");
    if (flight !== null) inFlight.add(flight);
    try {
      return await book({ member, userId: member.id, key, at: clock.now() });
    } finally {
      if (flight !== null) inFlight.delete(flight);
    }
  };
}

/** Books taps in order, each key at most once per member, and keeps every count in step. */
export async function bookBeers(tx: Db, taps: readonly Tap[], timeZone: string): Promise<Booking[]> {
  const group = await lockGroup(tx);
  const keys = taps.flatMap(({ key }) => (key === null ? [] : [key]));
  const known = new Map((await findByKeys(tx, keys)).map((beer) => [`${beer.user_id} ${beer.key}`, beer]));
  const isNew = ({ userId, key }: Tap) => key === null || !known.has(`${userId} ${key}`);
  const fresh = taps.filter(isNew);
  if (fresh.length === 0) return taps.map((tap) => replay(tap));

  const drunk = countBy(fresh, ({ userId }) => userId);
  const totals = await addToMembers(tx, drunk);
  // From here on: what each had before this batch, counted up beer by beer.
  for (const [userId, count] of drunk) totals.set(userId, totals.get(userId)! - count);
  let total = group.total;
  const beers = fresh.map(({ userId, key, at }) => {
    const own = totals.get(userId)! + 1;
    totals.set(userId, own);
    return { user_id: userId, key, at, group_total: ++total, own_total: own };
  });
  await insertBeers(tx, beers);

  const days = countBy(fresh, ({ at }) => localDay(at, timeZone));
  await addToDays(tx, days);
  await addToWeekdays(tx, addUp([...days], weekdayOf));
  const firstDay = [group.first_day, ...days.keys()].filter((day) => day !== null).toSorted()[0]!;
  // Each beer has a version of its own, so that its event is newer than that of the beer before.
  await setGroup(tx, { total, version: group.version + beers.length - 1, first_day: firstDay });

  let next = 0;
  return taps.map((tap) => {
    if (!isNew(tap)) return replay(tap);
    const version = group.version + next;
    const { group_total, own_total } = beers[next++]!;
    return { counters: { KSKCounterVal: group_total, userCounterVal: own_total }, isReplayed: false, version };
  });

  function replay({ userId, key }: Tap): Booking {
    const { group_total, own_total } = known.get(`${userId} ${key}`)!;
    return {
      counters: { KSKCounterVal: group_total, userCounterVal: own_total },
      isReplayed: true,
      version: group.version,
    };
  }
}

/** The counter's channel: what a page that joins must know, and what is said where events may have been missed. */
export function beercounterChannel(db: Db): RealtimeChannel {
  return {
    name: beercounterUpdated.channel,
    version: async () => (await readGroup(db)).version,
    resync: async () => {
      const { total, version } = await readGroup(db);
      const data = { counterVal: total, userId: null, userName: null, avatarId: null, version };
      return { event: beercounterUpdated.name, data };
    },
  };
}

export async function readTimelyStats(db: Db, now: number, timeZone: string): Promise<TimelyStats> {
  const today = localDay(now, timeZone);
  const week = weekOf(today);
  const [group, days, weekdays] = [await readGroup(db), await readDays(db, week[0]!, week[6]!), await readWeekdays(db)];
  return timelyStats(today, group.first_day, days, weekdays);
}

/** Counts days and weekdays anew where TIME_ZONE is not the one they were counted in. */
export async function recountDays(db: Db, timeZone: string): Promise<void> {
  if ((await readSetting(db, "time-zone")) === timeZone) return;
  await inTransaction(db, async (tx) => {
    const group = await lockGroup(tx);
    const days = addUp(await countByQuarterHour(tx), (at) => localDay(at, timeZone));
    await clearDays(tx);
    if (days.size > 0) {
      await addToDays(tx, days);
      await addToWeekdays(tx, addUp([...days], weekdayOf));
      await setGroup(tx, { ...group, first_day: [...days.keys()].toSorted()[0]! });
    }
    await writeSetting(tx, "time-zone", timeZone);
  });
}

/** Takes all beers of one member out of every count there is. */
export async function removeBeersOf(tx: Db, userId: number, timeZone: string): Promise<void> {
  const group = await lockGroup(tx);
  const quarters = await countByQuarterHour(tx, userId);
  await deleteBeersOf(tx, userId);
  if (quarters.length === 0) return;
  const lessByDay = addUp(
    quarters.map(([at, count]) => [at, -count] as const),
    (at) => localDay(at, timeZone),
  );
  await addToDays(tx, lessByDay);
  await addToWeekdays(tx, addUp([...lessByDay], weekdayOf));
  const removed = quarters.reduce((sum, [, count]) => sum + count, 0);
  await setGroup(tx, { ...group, total: group.total - removed, first_day: await tidyDays(tx) });
}

function addUp<From, To>(counts: Iterable<readonly [From, number]>, keyOf: (from: From) => To): Map<To, number> {
  const sums = new Map<To, number>();
  for (const [from, count] of counts) sums.set(keyOf(from), (sums.get(keyOf(from)) ?? 0) + count);
  return sums;
}
