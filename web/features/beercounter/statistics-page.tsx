import type { ReactNode } from "react";

import { BackLink } from "#web/platform/back-link.tsx";
import { useSearch } from "#web/platform/location.ts";
import { Ranking, rankingHeight } from "#web/platform/ranking.tsx";
import { Columns, Page, Stack } from "#web/ui/layout.tsx";
import { StatsCard } from "#web/ui/stats-card.tsx";
import { PeriodCard } from "./components/period-card.tsx";
import { PeriodChart, periodChartHeight } from "./components/period-chart.tsx";
import { OffSeasonYearReviewLink } from "./components/year-review-link.tsx";
import page from "./page.module.css";
import styles from "./statistics-page.module.css";
import { usePeriodStats } from "./statistics-queries.ts";
import { chartTitle, parseChoice, emptyTexts } from "./statistics-rules.ts";

export function StatisticsPage(): ReactNode {
  const choice = parseChoice(useSearch());
  const stats = usePeriodStats(choice);
  return (
    <Page title="Statistik">
      <BackLink href="/beercounter">Bier-Counter</BackLink>
      <Columns className={styles["cards"]} aria-busy={stats.isPending || stats.isPlaceholderData}>
        <PeriodCard choice={choice} query={stats} />
        {(stats.data !== undefined || stats.isPending) && (
          <>
            <StatsCard title="Die Säufer" query={stats} height={rankingHeight} columns={5}>
              {(period) => (
                <Ranking
                  drinkers={period.users}
                  period={`${period.span} ${period.from}`}
                  emptyText={emptyTexts(period).ranking}
                />
              )}
            </StatsCard>
            <div className={styles["chart"]}>
              <StatsCard title={chartTitle(choice, stats.data)} query={stats} height={periodChartHeight} columns={7}>
                {(period) => <PeriodChart key={period.from} stats={period} />}
              </StatsCard>
            </div>
          </>
        )}
      </Columns>
      <Stack gap={0} className={page["more"]} data-align="center">
        <OffSeasonYearReviewLink />
      </Stack>
    </Page>
  );
}
