import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

import { PageLink } from "#web/platform/page-link.tsx";
import { Columns, Page } from "#web/ui/layout.tsx";
import quiet from "#web/ui/quiet-action.module.css";

import { AverageCard } from "./components/average-card.tsx";
import { CounterCard } from "./components/counter-card.tsx";
import { PauseLine } from "./components/pause-line.tsx";
import { RankingCard } from "./components/ranking-card.tsx";
import { WeekCard } from "./components/week-card.tsx";
import { YearReviewLink } from "./components/year-review-link.tsx";
import styles from "./page.module.css";
import { useCounters, useDrinkers, useTimelyStats } from "./queries.ts";

export function BeercounterPage(): ReactNode {
  const counters = useCounters();
  const drinkers = useDrinkers(counters.isFetchedAfterMount);
  const stats = useTimelyStats(counters.isFetchedAfterMount);
  return (
    <Page title="Bier-Counter">
      <PauseLine />
      <Columns>
        <CounterCard counters={counters} />
        <RankingCard drinkers={drinkers} />
        <WeekCard stats={stats} />
        <AverageCard stats={stats} />
      </Columns>
      <PageLink className={`${quiet["action"]} ${styles["more"]}`} href="/statistics">
        Mehr Zahlen
        <ChevronRight size={18} aria-hidden="true" />
      </PageLink>
      <YearReviewLink isEnabled={counters.isFetchedAfterMount} />
    </Page>
  );
}
