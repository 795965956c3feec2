import { getMemberPage } from "#contract/member-page.ts";
import { getPeriodStats, type Span, spans } from "#contract/statistics.ts";
import { getReviewYears, getYearReview } from "#contract/year-review.ts";
import { createDayVersion } from "#server/features/beers/actions.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { shareByVersion } from "#server/platform/http/shared-reply.ts";
import { findPeriodStats } from "./actions.ts";
import { findMemberPage } from "./member-actions.ts";
import { createYearReview, listReviewYears } from "./review-actions.ts";

export function addRoutes(context: Context): void {
  const { http } = context;
  // All open pages request the current period after each beer.
  const findVersion = createDayVersion(context);
  const shareCurrent = (span: Span) =>
    shareByVersion(getPeriodStats, findVersion, () => findPeriodStats(context, span, undefined));
  const current = Object.fromEntries(spans.map((span) => [span, shareCurrent(span)]));
  handle(http, getPeriodStats, ({ query: { span, day } }) =>
    day === undefined ? current[span]!() : findPeriodStats(context, span, day),
  );
  handle(http, getMemberPage, ({ member, params }) => findMemberPage(context, member, params.id));
  handle(http, getReviewYears, () => listReviewYears(context));
  const findYearReview = createYearReview(context);
  handle(http, getYearReview, ({ member, params }) => findYearReview(member.id, Number(params.year)));
}
