import type { ReactNode } from "react";

import type { PeriodStats } from "#contract/statistics.ts";
import { BarChart } from "#web/ui/bar-chart.tsx";
import { emptyTexts, listPeriodBars } from "../statistics-rules.ts";

const chartHeight = 200;

/** Shows a bar for each day, month or year of a period. */
export function PeriodChart({ stats }: { stats: PeriodStats }): ReactNode {
  return (
    <BarChart
      label="Biere im Zeitraum"
      bars={listPeriodBars(stats)}
      height={chartHeight}
      barWidth={stats.span === "month" ? 22 : 50}
      layout={stats.span === "week" ? "fit" : "dense"}
      emptyText={stats.total === 0 ? emptyTexts(stats).chart : undefined}
    />
  );
}
