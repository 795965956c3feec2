import { setImmediate as nextTurn } from "node:timers/promises";

import { inTransaction } from "#server/db/connect.ts";
import { createRng, type DemoMember, type DemoSeed } from "#server/platform/demo-seed.ts";
import { localDay } from "#server/platform/local-day.ts";
import { hours, minutes } from "#server/time.ts";
import { bookBeers, type Tap } from "./actions.ts";
import { addDays, weekdayOf } from "./rules.ts";

const historyDays = 2 * 365;
const batchSize = 1000;

/** Books two years of beers, or exactly `beers`: leaves out the last ones, or starts again with the first. */
export const seedDemo: DemoSeed = async ({ db, clock, config: { timeZone }, members, beers }) => {
  const taps = generateTaps(members, clock.now(), timeZone);
  const count = beers ?? taps.length;
  for (let from = 0; from < count; from += batchSize) {
    const size = Math.min(batchSize, count - from);
    const batch = Array.from({ length: size }, (_, index) => taps[(from + index) % taps.length]!);
    await inTransaction(db, (tx) => bookBeers(tx, batch, timeZone));
    // Lets timers and signals run.
    await nextTurn();
  }
  return { beers: count };
};

function generateTaps(members: readonly DemoMember[], now: number, timeZone: string): Tap[] {
  const rng = createRng(1516);
  const today = localDay(now, timeZone);
  const taps: Tap[] = [];
  for (let back = historyDays; back >= 0; back--) {
    const day = addDays(today, -back);
    const midnight = localMidnight(day, timeZone);
    const month = Number(day.slice(5, 7)) - 1;
    for (const { id, rate } of members) {
      for (const minute of drawDrinkingMinutes(weekdayOf(day), month, rate, rng)) {
        const at = midnight + minutes(minute);
        if (at < now) taps.push({ userId: id, key: null, at });
      }
    }
  }
  return taps.toSorted((one, other) => one.at - other.at);
}

/** Returns an inexact time if the clocks change at midnight. */
function localMidnight(day: string, timeZone: string): number {
  const utc = Date.parse(`${day}T00:00:00Z`);
  const candidates = Array.from({ length: 27 }, (_, hour) => utc + hours(hour - 14));
  return candidates.find((at) => localDay(at, timeZone) === day) ?? utc;
}

/** Monday first. */
const byWeekday = [0.12, 0.18, 0.3, 0.55, 1.35, 1.6, 0.4];
/** January first. */
const byMonth = [0.7, 1, 0.9, 1, 1.15, 1.3, 1.4, 1.3, 1.5, 1.2, 0.9, 1.4];

function drawDrinkingMinutes(weekday: number, month: number, rate: number, rng: () => number): number[] {
  const mean = byWeekday[weekday]! * byMonth[month]! * rate;
  if (rng() > Math.min(0.9, mean)) return [];
  const beers = 1 + Math.floor(rng() * Math.max(1, mean * 3));
  const first = 17 * 60 + Math.floor(rng() * 240);
  return Array.from({ length: beers }, (_, index) => first + index * 38 + Math.floor(rng() * 20));
}
