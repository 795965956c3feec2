import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";

import type { TimelyStats } from "#contract/beercounter.ts";
import { useGroup } from "#web/session/session.ts";
import { BarChart } from "#web/ui/bar-chart.tsx";
import { StatsCard } from "#web/ui/stats-card.tsx";
import { useNow } from "#web/ui/use-now.ts";
import { isEmptyWeek, listWeekBars, weekdayIndex } from "../rules.ts";

const chartHeight = 200;
const emptyChartHeight = 120;

export function WeekCard({ stats }: { stats: UseQueryResult<TimelyStats> }): ReactNode {
  const { time_zone: timeZone } = useGroup();
  const now = useNow(60_000);
  return (
    <StatsCard title="Der Suff der Woche" query={stats} content="chart" columns={7}>
      {(numbers) => (
        <BarChart
          label="Biere pro Tag in dieser Woche"
          bars={listWeekBars(numbers, weekdayIndex(new Date(now), timeZone))}
          height={isEmptyWeek(numbers) ? emptyChartHeight : chartHeight}
          barWidth={50}
          layout="fit"
          emptyText={isEmptyWeek(numbers) ? "Noch nichts getrunken diese Woche!" : undefined}
        />
      )}
    </StatsCard>
  );
}
