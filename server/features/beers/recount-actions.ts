import { isDeepStrictEqual } from "node:util";

import type { Config } from "#server/config.ts";
import { disableTimeouts } from "#server/db/backup-tables.ts";
import type { DatabaseKind, Db } from "#server/db/connect.ts";
import { localDay, startOfNextDay } from "#server/platform/local-day.ts";
import * as settingsStore from "#server/platform/settings/store.ts";
import * as rules from "./rules.ts";
import * as store from "./store.ts";

/** Replaces all stored counts; `timeZone` determines the day of each beer. Returns the number of beers. */
export async function recount(tx: Db, kind: DatabaseKind, timeZone: string): Promise<number> {
  await disableTimeouts(tx, kind);
  const { version } = await store.lockGroupTotal(tx);
  await store.deleteCounts(tx);
  const { total, first_day, members } = await sumCounts(tx, timeZone, (counts) => store.addToDays(tx, counts));
  await store.addToMembers(tx, [...members.values()]);
  await store.updateGroupTotal(tx, { total, version: version + 1, first_day });
  await settingsStore.writeSetting(tx, "time-zone", timeZone);
  return total;
}

/** Counts day by day, because the counts of all days need much memory. */
async function sumCounts(db: Db, timeZone: string, onDay: (counts: readonly rules.DayCount[]) => Promise<unknown>) {
  const members = new Map<number, rules.MemberCount>();
  let total = 0;
  let first_day: string | null = null;
  let at = await store.findFirstBeerAt(db, Number.MIN_SAFE_INTEGER);
  while (at !== undefined) {
    const day = localDay(at, timeZone);
    const end = startOfNextDay(at, timeZone);
    const counts = (await store.countBetween(db, at, end)).map((count) => ({ ...count, day }));
    await onDay(counts);
    rules.addToSums(members, counts);
    total += counts.reduce((sum, count) => sum + count.total, 0);
    first_day ??= day;
    at = await store.findFirstBeerAt(db, end);
  }
  return { total, first_day, members };
}

/** A changed TIME_ZONE takes effect when the server starts. */
export async function findTimeZone(db: Db, { timeZone }: Pick<Config, "timeZone">): Promise<string> {
  return (await settingsStore.findSetting(db, "time-zone")) ?? timeZone;
}

/** Returns the names of the wrong stored counts, and the number of beers. */
export async function findWrongCounts(db: Db, config: Pick<Config, "timeZone">) {
  let [dayCounts, areDaysRight] = [0, true];
  const counted = await sumCounts(db, await findTimeZone(db, config), async (counts) => {
    const stored = await store.listDayCounts(db, counts[0]!.day);
    areDaysRight &&= isDeepStrictEqual(rules.mapByMember(stored), rules.mapByMember(counts));
    dayCounts += counts.length;
  });
  const stored = await store.findGroupTotal(db);
  const isRight = {
    total: stored.total === counted.total,
    first_day: stored.first_day === counted.first_day,
    members: isDeepStrictEqual(rules.mapByMember(await store.listMemberCounts(db)), counted.members),
    days: areDaysRight && dayCounts === (await store.countDayCounts(db)),
  };
  const wrong = Object.entries(isRight).flatMap(([name, value]) => (value ? [] : [name]));
  return { wrong, beers: counted.total };
}
