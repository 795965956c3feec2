import { getReviewYears, getYearReview } from "#contract/year-review.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { listReviewYears, findYearReview } from "./actions.ts";

export function addRoutes(context: Context): void {
  const { http } = context;

  handle(http, getReviewYears, () => listReviewYears(context));
  handle(http, getYearReview, ({ member, params }) => findYearReview(context, member.id, Number(params.year)));
}
