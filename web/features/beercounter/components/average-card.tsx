import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";

import type { TimelyStats } from "#contract/beercounter.ts";
import { BarChart } from "#web/ui/bar-chart.tsx";
import { StatsCard } from "#web/ui/stats-card.tsx";
import { listAverageBars } from "../rules.ts";

const chartHeight = 200;

export function AverageCard({ stats }: { stats: UseQueryResult<TimelyStats> }): ReactNode {
  return (
    <StatsCard title="Der Tagesdurchschnitt" query={stats} content="chart" columns={7}>
      {(numbers) => (
        <BarChart
          label="Biere im Durchschnitt pro Wochentag"
          bars={listAverageBars(numbers)}
          height={chartHeight}
          barWidth={70}
          layout="fit"
          emptyText={numbers.allWeeks.every((average) => average === 0) ? "Ohne Bier kein Durchschnitt." : undefined}
        />
      )}
    </StatsCard>
  );
}
