import type { UseQueryResult } from "@tanstack/react-query";

import { getReviewYears, getYearReview, type ReviewYears, type YearReview } from "#contract/year-review.ts";
import { call } from "#web/platform/api.ts";
import { useQuery } from "#web/platform/query-client.ts";

/** The years on offer. A new day may open one. */
export function useReviewYears(): UseQueryResult<ReviewYears> {
  return useQuery({
    queryKey: ["year-review", "years"],
    queryFn: ({ signal }) => call(getReviewYears, { signal }),
    staleTime: 0,
  });
}

/** One year; nothing is fetched for null. */
export function useYearReview(year: number | null): UseQueryResult<YearReview> {
  return useQuery({
    queryKey: ["year-review", year],
    queryFn: ({ signal }) => call(getYearReview, { params: { year: String(year) }, signal }),
    enabled: year !== null,
    staleTime: 0,
  });
}
