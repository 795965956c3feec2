import type { UseQueryResult } from "@tanstack/react-query";

import { getReviewYears, getYearReview, type ReviewYears, type YearReview } from "#contract/year-review.ts";
import { useReply } from "#web/data/query-client.ts";

/** Loads the years with a review. A new year may become available each day. */
export function useReviewYears(): UseQueryResult<ReviewYears> {
  return useReply(getReviewYears, { queryKey: ["year-review", "years"] });
}

/** Loads one year's review; `null` loads none. */
export function useYearReview(year: number | null): UseQueryResult<YearReview> {
  return useReply(getYearReview, {
    queryKey: ["year-review", year],
    request: { params: { year: String(year) } },
    enabled: year !== null,
  });
}
