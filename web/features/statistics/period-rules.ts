import * as z from "zod/mini";

import { spans, type Span } from "#contract/statistics.ts";

/** A span and one of its days (`2026-11-21`); `null` is the current period. */
export interface PeriodChoice {
  readonly span: Span;
  readonly day: string | null;
}

const slugs = { week: "woche", month: "monat", year: "jahr", all: "gesamt" } as const satisfies Record<Span, string>;
const slug = z.enum(Object.values(slugs));

/** E.g. `/statistics?zeitraum=woche&am=2026-11-21`. */
interface StatisticsSearch {
  readonly zeitraum?: z.output<typeof slug> | undefined;
  readonly am?: string | undefined;
}

/** Removes invalid values. */
export function validateSearch({ zeitraum, am }: Record<string, unknown>): StatisticsSearch {
  return { zeitraum: slug.safeParse(zeitraum).data, am: z.iso.date().safeParse(am).data };
}

export function choiceOf({ zeitraum, am }: StatisticsSearch): PeriodChoice {
  return { span: spans.find((span) => slugs[span] === zeitraum) ?? "month", day: am ?? null };
}

export function searchOf({ span, day }: PeriodChoice): StatisticsSearch {
  return { zeitraum: slugs[span], am: day ?? undefined };
}
