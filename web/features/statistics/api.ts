import { keepPreviousData, type UseQueryResult } from "@tanstack/react-query";

import { getPeriodStats, type PeriodStats } from "#contract/statistics.ts";
import { getYearReview, type YearReview } from "#contract/year-review.ts";
import { useReply } from "#web/data/query-client.ts";
import { detailsKey } from "#web/features/beers/api.ts";
import { isSameDay } from "#web/features/beers/rules.ts";
import { useGroup } from "#web/page/session.ts";
import type { PeriodChoice } from "./period-rules.ts";

/** While the numbers of a period load, those of the previously chosen period stay visible. */
export function usePeriodStats({ span, day }: PeriodChoice): UseQueryResult<PeriodStats> {
  const { time_zone: timeZone } = useGroup();
  return useReply(getPeriodStats, {
    queryKey: [...detailsKey, "period", span, day],
    request: { query: { span, ...(day !== null && { day }) } },
    placeholderData: keepPreviousData,
    ...(day === null && {
      kept: { name: `statistics-${span}`, isCurrent: (at: number) => isSameDay(at, Date.now(), timeZone) },
    }),
  });
}

export function useYearReview(year: number | null): UseQueryResult<YearReview> {
  return useReply(getYearReview, {
    queryKey: ["year-review", year],
    request: { params: { year: String(year) } },
    enabled: year !== null,
  });
}
