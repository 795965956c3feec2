import type { Span } from "#contract/statistics.ts";

/** A period, chosen by its span and one of its days (`2026-11-21`), or `null` for the current period. */
export interface PeriodChoice {
  readonly span: Span;
  readonly day: string | null;
}

/** The query parameters of the statistics page, e.g. `/statistics?zeitraum=woche&am=2026-11-21`. */
export interface StatisticsSearch {
  readonly zeitraum?: string | undefined;
  readonly am?: string | undefined;
}

const spanSlugs: Record<Span, string> = { week: "woche", month: "monat", year: "jahr", all: "gesamt" };

/** Removes invalid values. */
export function validateSearch({ zeitraum, am }: Record<string, unknown>): StatisticsSearch {
  return {
    zeitraum: Object.values(spanSlugs).find((slug) => slug === zeitraum),
    am: typeof am === "string" && isIsoDay(am) ? am : undefined,
  };
}

export function choiceOf({ zeitraum, am }: StatisticsSearch): PeriodChoice {
  const spans = Object.keys(spanSlugs) as Span[];
  return { span: spans.find((one) => spanSlugs[one] === zeitraum) ?? "month", day: am ?? null };
}

export function searchOf({ span, day }: PeriodChoice): StatisticsSearch {
  return { zeitraum: spanSlugs[span], am: day ?? undefined };
}

function isIsoDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
