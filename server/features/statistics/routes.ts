import { getMemberPage } from "#contract/member-page.ts";
import { getPeriodStats } from "#contract/statistics.ts";
import { getReviewYears, getYearReview } from "#contract/year-review.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { findPeriodStats } from "./actions.ts";
import { findMemberPage } from "./member-actions.ts";
import { findYearReview, listReviewYears } from "./review-actions.ts";

export function addRoutes(context: Context): void {
  const { http } = context;
  handle(http, getPeriodStats, ({ query: { span, day } }) => findPeriodStats(context, span, day));
  handle(http, getMemberPage, ({ member, params }) => findMemberPage(context, member, params.id));
  handle(http, getReviewYears, () => listReviewYears(context));
  handle(http, getYearReview, ({ member, params }) => findYearReview(context, member.id, Number(params.year)));
}
