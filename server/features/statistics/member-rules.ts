import { memberPageLimits, type MemberPage, type RoundBeer } from "#contract/member-page.ts";
import { listMemberMilestones } from "#server/features/beers/milestone-rules.ts";
import { weekOf } from "#server/features/beers/rules.ts";

interface Day {
  readonly day: string;
  readonly total: number;
}

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

/** Finds the days of the first beer and the newest milestones. `days` must be sorted by day. */
export function findRoundBeers(days: readonly Day[]): RoundBeer[] {
  const total = days.reduce((sum, day) => sum + day.total, 0);
  if (total === 0) return [];
  const counts = [1, ...listMemberMilestones(total).slice(1 - memberPageLimits.roundBeers)];
  let place = 0;
  let counted = days[0]!.total;
  return counts.map((count) => {
    while (counted < count) counted += days[++place]!.total;
    return { count, day: days[place]!.day };
  });
}
