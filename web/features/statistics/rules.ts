import type { PeriodStats, Span } from "#contract/statistics.ts";
import { barHeight, type Bar } from "#web/ui/bar-chart.tsx";
import { formatDay, formatNumber, type DateStyle } from "#web/ui/german.ts";
import type { PeriodChoice } from "./period-rules.ts";

/** Returns "16. bis 22. November 2026", "November 2026", "2026" or "Seit dem 3. März 2024". */
export function formatPeriod({ span, from, to, total }: PeriodStats): string {
  if (span === "week") return `${formatDay(from, firstDayStyle(from, to))} bis ${formatDay(to, "date")}`;
  if (span === "month") return formatDay(from, "monthAndYear");
  if (span === "year") return from.slice(0, 4);
  return total === 0 ? "Bis heute" : `Seit dem ${formatDay(from, "date")}`;
}

/** Returns "12 mehr als im Oktober um diese Zeit." */
export function formatComparison(stats: PeriodStats): string | null {
  const { total, before } = stats;
  if (before === null || total + before.total === 0) return null;
  const more = total - before.total;
  const amount =
    more === 0 ? "Genauso viele wie" : `${formatNumber(Math.abs(more))} ${more > 0 ? "mehr" : "weniger"} als`;
  return `${amount} ${formatPrevious(stats, before)}${before.is_whole ? "" : " um diese Zeit"}.`;
}

function formatPrevious({ span, from, to, today }: PeriodStats, before: NonNullable<PeriodStats["before"]>): string {
  const year = before.from.slice(0, 4);
  if (span === "week") return to < today ? "in der Woche davor" : "letzte Woche";
  if (span === "year") return `im Jahr ${year}`;
  return `im ${formatDay(before.from, year === from.slice(0, 4) ? "month" : "monthAndYear")}`;
}

/** Returns "Tag für Tag", even while `stats` loads. A single year of the span `all` has months. */
export function chartTitle({ span }: PeriodChoice, stats: PeriodStats | undefined): string {
  const expected = { week: "Tag", month: "Tag", year: "Monat", all: "Jahr" }[span];
  const unit = stats ? { 10: "Tag", 7: "Monat", 4: "Jahr" }[stats.bars[0]!.time.length] : expected;
  return `${unit} für ${unit}`;
}

export function emptyTexts({ to, today }: PeriodStats): { chart: string; ranking: string } {
  return to < today
    ? { chart: "Da war Ruhe am Tisch.", ranking: "Alle nüchtern geblieben." }
    : { chart: "Noch nichts getrunken.", ranking: "Noch sind alle nüchtern." };
}

/** Marks today's bar; future ones have an empty value. */
export function listPeriodBars({ span, bars, today }: PeriodStats): Bar[] {
  const totals = bars.map(({ total }) => total);
  return bars.map(({ time, total }) => ({
    key: time,
    ...barLabels(span, time),
    value: time > today ? "" : formatNumber(total),
    height: barHeight(total, totals),
    tone: "beer",
    ...(today.startsWith(time) && { mark: time === today ? "heute" : "jetzt" }),
  }));
}

function barLabels(span: Span, time: string): Pick<Bar, "label" | "shortLabel"> {
  if (time.length === 4) return { label: time };
  if (time.length === 7)
    return { label: formatDay(`${time}-01`, "monthAndYear"), shortLabel: formatDay(`${time}-01`, "shortMonth") };
  if (span === "week") return { label: formatDay(time, "weekday"), shortLabel: formatDay(time, "weekday").slice(0, 2) };
  return { label: formatDay(time, "day"), shortLabel: String(Number(time.slice(8))) };
}

function firstDayStyle(from: string, to: string): DateStyle {
  if (from.slice(0, 7) === to.slice(0, 7)) return "dayOfMonth";
  return from.slice(0, 4) === to.slice(0, 4) ? "day" : "date";
}
