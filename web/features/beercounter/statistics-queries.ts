import { keepPreviousData, type UseQueryResult } from "@tanstack/react-query";

import { getPeriodStats, type PeriodStats } from "#contract/statistics.ts";
import { statsKey } from "#web/platform/beers/queries.ts";
import { useReply } from "#web/platform/query-client.ts";
import { useGroup } from "#web/platform/session.ts";
import { isSameDay } from "./rules.ts";
import type { PeriodChoice } from "./statistics-rules.ts";

/** The numbers of a period; the period before stays on the screen until they are loaded. */
export function usePeriodStats({ span, day }: PeriodChoice): UseQueryResult<PeriodStats> {
  const { time_zone: timeZone } = useGroup();
  return useReply(getPeriodStats, {
    queryKey: [...statsKey, "period", span, day],
    request: { query: { span, ...(day !== null && { day }) } },
    placeholderData: keepPreviousData,
    ...(day === null && {
      kept: { name: `statistics-${span}`, isCurrent: (at: number) => isSameDay(at, Date.now(), timeZone) },
    }),
  });
}
