import { getReviewYears, getYearReview } from "#contract/year-review.ts";
import { handle } from "#server/platform/http/handle.ts";
import type { Platform } from "#server/platform/platform.ts";
import { listReviewYears, lookBack } from "./actions.ts";

export function addYearReviewRoutes(platform: Platform): void {
  const { door } = platform;

  handle(door, getReviewYears, () => listReviewYears(platform));
  handle(door, getYearReview, ({ member, params }) => lookBack(platform, member.id, Number(params.year)));
}
