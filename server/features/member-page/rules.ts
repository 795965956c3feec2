import { memberPageLimits, type MemberPage, type RoundBeer } from "#contract/member-page.ts";
import { weekOf } from "#server/features/beercounter/rules.ts";
import { isMemberMilestone } from "#server/features/milestones/rules.ts";

interface Day {
  readonly day: string;
  readonly total: number;
}

/** Sums up the days of a member. */
export function countBeers(days: readonly Day[], today: string): MemberPage["beers"] {
  const monday = weekOf(today)[0]!;
  const year = today.slice(0, 4);
  const sum = (isCounted: (day: string) => boolean): number =>
    days.reduce((total, one) => (isCounted(one.day) ? total + one.total : total), 0);
  return {
    today: sum((day) => day === today),
    week: sum((day) => day >= monday && day <= today),
    year: sum((day) => day.startsWith(year)),
    total: sum(() => true),
  };
}

/** Finds the days of the first beer and of the newest round ones; `days` are in order. */
export function findRoundBeers(days: readonly Day[]): RoundBeer[] {
  const found: RoundBeer[] = [];
  let before = 0;
  for (const { day, total } of days) {
    for (let count = before + 1; count <= before + total; count += 1)
      if (count === 1 || isMemberMilestone(count)) found.push({ count, day });
    before += total;
  }
  const [first, ...others] = found;
  return first ? [first, ...others.slice(1 - memberPageLimits.roundBeers)] : [];
}
