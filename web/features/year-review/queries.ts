import type { UseQueryResult } from "@tanstack/react-query";

import { getReviewYears, getYearReview, type ReviewYears, type YearReview } from "#contract/year-review.ts";
import { useReply } from "#web/data/query-client.ts";

/** Loads the years that have a review. The list can grow from one day to the next. */
export function useReviewYears(): UseQueryResult<ReviewYears> {
  return useReply(getReviewYears, { queryKey: ["year-review", "years"] });
}

/** Loads the review of a year; loads nothing if `year` is `null`. */
export function useYearReview(year: number | null): UseQueryResult<YearReview> {
  return useReply(getYearReview, {
    queryKey: ["year-review", year],
    request: { params: { year: String(year) } },
    enabled: year !== null,
  });
}
