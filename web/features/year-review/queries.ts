import type { UseQueryResult } from "@tanstack/react-query";

import { getReviewYears, getYearReview, type ReviewYears, type YearReview } from "#contract/year-review.ts";
import { useReply } from "#web/platform/query-client.ts";

/** The years on offer. A new day may open one. */
export function useReviewYears(): UseQueryResult<ReviewYears> {
  return useReply(getReviewYears, { queryKey: ["year-review", "years"] });
}

/** One year; nothing is fetched for null. */
export function useYearReview(year: number | null): UseQueryResult<YearReview> {
  return useReply(getYearReview, {
    queryKey: ["year-review", year],
    request: { params: { year: String(year) } },
    enabled: year !== null,
  });
}
