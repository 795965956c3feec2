import { ChevronRight } from "lucide-react";
import { lazy, Suspense, useState, type ReactNode } from "react";

import { useCounters } from "#web/platform/beers/queries.ts";
import { loadWithRetries } from "#web/platform/newer-version.ts";
import { PageLink } from "#web/platform/page-link.tsx";
import { Ranking, rankingHeight } from "#web/platform/ranking.tsx";
import { usePermission } from "#web/platform/session.ts";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import { Columns, Page, Stack } from "#web/ui/layout.tsx";
import { combineQueries, isFailed, QueryState } from "#web/ui/query-state.tsx";
import quiet from "#web/ui/quiet-action.module.css";
import { StatsCard } from "#web/ui/stats-card.tsx";
import { AverageCard } from "./components/average-card.tsx";
import { CounterCard } from "./components/counter-card.tsx";
import { NewsLine } from "./components/news-line.tsx";
import { PauseLine } from "./components/pause-line.tsx";
import { WeekCard } from "./components/week-card.tsx";
import { YearReviewLink } from "./components/year-review-link.tsx";
import styles from "./page.module.css";
import { useDrinkers, useTimelyStats } from "./queries.ts";

/** Only for a member who is alone, or was so when the link was made, since the link is shown only once. */
const InvitationCard = lazy(async () => {
  const { InvitationCard: component } = await loadWithRetries(() => import("./components/invitation-card.tsx"));
  return { default: component };
});

export function BeercounterPage(): ReactNode {
  const counters = useCounters();
  const drinkers = useDrinkers(counters.isFetchedAfterMount);
  const stats = useTimelyStats(counters.isFetchedAfterMount);
  const isAdmin = usePermission("admin");
  const isAlone = drinkers.data?.length === 1 && isAdmin;
  const [hasInvited, setInvited] = useState(false);
  const isEmpty = isAlone && counters.data?.KSKCounterVal === 0;
  const isIncomplete = isFailed(drinkers) || isFailed(stats);
  return (
    <Page title="Bier-Counter">
      <PauseLine />
      <Columns>
        <div>
          <CounterCard counters={counters} isFailureShown={!isIncomplete} />
          <NewsLine />
        </div>
        {!isEmpty && !isFailed(drinkers) && (
          <StatsCard title="Die Säufer" query={drinkers} height={rankingHeight} columns={5}>
            {(all) => <Ranking drinkers={all} emptyText="Noch sind alle nüchtern." />}
          </StatsCard>
        )}
        {!isEmpty && !isFailed(stats) && (
          <>
            <WeekCard stats={stats} />
            <AverageCard stats={stats} />
          </>
        )}
        <Suspense>{(isAlone || hasInvited) && <InvitationCard onInvited={() => setInvited(true)} />}</Suspense>
        {isIncomplete && (
          <div className={styles["failed"]}>
            <BeerMat shape="square">
              <QueryState
                query={combineQueries([counters, drinkers, stats])}
                failedText="Die Zahlen konnten gerade nicht geladen werden."
              >
                {() => null}
              </QueryState>
            </BeerMat>
          </div>
        )}
      </Columns>
      <Stack gap={0} className={styles["more"]} data-align="center">
        <PageLink className={quiet["action"]} href="/statistics">
          Statistik
          <ChevronRight size={18} />
        </PageLink>
        <YearReviewLink isEnabled={counters.isFetchedAfterMount} />
      </Stack>
    </Page>
  );
}
