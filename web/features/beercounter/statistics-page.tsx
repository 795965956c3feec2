import { useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";

import page from "#web/features/beers/counter-page.module.css";
import { Ranking } from "#web/features/beers/ranking.tsx";
import { OffSeasonYearReviewLink } from "#web/features/beers/year-review-link.tsx";
import { BackLink } from "#web/router/back-link.tsx";
import { Cards } from "#web/ui/card.tsx";
import { Page, Stack } from "#web/ui/layout.tsx";
import { StatsCard } from "#web/ui/stats-card.tsx";
import { PeriodCard } from "./components/period-card.tsx";
import { PeriodChart } from "./components/period-chart.tsx";
import { choiceOf } from "./period-rules.ts";
import styles from "./statistics-page.module.css";
import { usePeriodStats } from "./statistics-queries.ts";
import { chartTitle, emptyTexts } from "./statistics-rules.ts";

export function StatisticsPage(): ReactNode {
  const choice = choiceOf(useSearch({ from: "/statistics" }));
  const stats = usePeriodStats(choice);
  return (
    <Page title="Statistik">
      <BackLink href="/beercounter">Bier-Counter</BackLink>
      <Cards className={styles["cards"]} aria-busy={stats.isPending || stats.isPlaceholderData}>
        <PeriodCard choice={choice} query={stats} />
        {(stats.data !== undefined || stats.isPending) && (
          <>
            <StatsCard title="Die Säufer" query={stats} content="ranking" columns={5}>
              {(period) => (
                <Ranking
                  drinkers={period.users}
                  period={`${period.span} ${period.from}`}
                  emptyText={emptyTexts(period).ranking}
                />
              )}
            </StatsCard>
            <div className={styles["chart"]}>
              <StatsCard title={chartTitle(choice, stats.data)} query={stats} content="chart" columns={7}>
                {(period) => <PeriodChart key={period.from} stats={period} />}
              </StatsCard>
            </div>
          </>
        )}
      </Cards>
      <Stack gap={0} className={page["more"]} data-align="center">
        <OffSeasonYearReviewLink />
      </Stack>
    </Page>
  );
}
