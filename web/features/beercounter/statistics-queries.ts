import { keepPreviousData, type UseQueryResult } from "@tanstack/react-query";

import { getPeriodStats, type PeriodStats } from "#contract/statistics.ts";
import { useReply } from "#web/data/query-client.ts";
import { detailsKey } from "#web/features/beers/api.ts";
import { isSameDay } from "#web/features/beers/rules.ts";
import { useGroup } from "#web/session/session.ts";
import type { PeriodChoice } from "./period-rules.ts";

/**
 * Queries the numbers of a period. While they load, the numbers of the previously chosen period
 * stay visible.
 */
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
