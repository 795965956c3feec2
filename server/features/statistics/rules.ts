import type { Span } from "#contract/statistics.ts";
import { addDays, weekdayOf, weekOf } from "#server/features/beers/rules.ts";

/** Days `YYYY-MM-DD`, both inclusive. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** `firstDay` is the day of the group's first beer, `null` without beers. */
interface Bounds {
  readonly firstDay: string | null;
  readonly today: string;
}

/** A day before the first beer counts as the day of the first beer, and a day in the future as today. */
export function resolvePeriod(span: Span, wanted: string, { firstDay, today }: Bounds): Period {
  const first = firstDay === null || firstDay > today ? today : firstDay;
  if (span === "all") return { from: first, to: today };
  if (wanted < first) return periodAround(span, first);
  return periodAround(span, wanted > today ? today : wanted);
}

/** Returns the last day of the previous period; `null` for `all`, or if that period ends before the first beer. */
export function earlierDay(span: Span, { from }: Period, { firstDay }: Bounds): string | null {
  return span === "all" || firstDay === null || from <= firstDay ? null : addDays(from, -1);
}

/** Returns the first day of the next period; `null` for `all`, or if that period has not begun. */
export function laterDay(span: Span, { to }: Period, { today }: Bounds): string | null {
  return span === "all" || to >= today ? null : addDays(to, 1);
}

/**
 * Returns `null` if the previous period ends before the first beer. If the given period is not over, the previous one
 * ends at today's weekday or date (or on the last day of a shorter month).
 */
export function previousPeriod(
  span: Span,
  { from, to }: Period,
  { firstDay, today }: Bounds,
): (Period & { readonly isWhole: boolean }) | null {
  if (span === "all") return null;
  const whole = periodAround(span, addDays(from, -1));
  const end = to < today ? whole.to : sameDayIn(span, whole, today);
  if (firstDay === null || firstDay > end) return null;
  return { from: whole.from, to: end, isWhole: end === whole.to };
}

function sameDayIn(span: Exclude<Span, "all">, { from }: Period, today: string): string {
  if (span === "week") return addDays(from, weekdayOf(today));
  const prefixLength = span === "month" ? "2026-11".length : "2026".length;
  const day = from.slice(0, prefixLength) + today.slice(prefixLength);
  const last = lastOfMonth(day);
  return day < last ? day : last;
}

function periodAround(span: Exclude<Span, "all">, day: string): Period {
  if (span === "week") {
    const week = weekOf(day);
    return { from: week[0]!, to: week[6]! };
  }
  if (span === "month") return { from: `${day.slice(0, 7)}-01`, to: lastOfMonth(day) };
  return { from: `${day.slice(0, 4)}-01-01`, to: `${day.slice(0, 4)}-12-31` };
}

/** `day` may be a date that the month does not have, e.g. `2027-02-31`. */
function lastOfMonth(day: string): string {
  const nextMonth = addDays(`${day.slice(0, 7)}-28`, 4).slice(0, 7);
  return addDays(`${nextMonth}-01`, -1);
}

/** Returns days, months or years. `all` has months if the group's beers lie within one year. */
export function listBarTimes(span: Span, { from, to }: Period): string[] {
  const year = Number(from.slice(0, 4));
  const years = Number(to.slice(0, 4)) - year + 1;
  if (span === "all" && years > 1) return Array.from({ length: years }, (_, index) => String(year + index));
  if (span === "year" || span === "all")
    return Array.from({ length: 12 }, (_, index) => `${year}-${String(index + 1).padStart(2, "0")}`);
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}
