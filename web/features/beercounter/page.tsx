import { ChevronRight } from "lucide-react";
import { lazy, Suspense, useState, type ReactNode } from "react";

import { loadWithRetries } from "#web/pwa/newer-version.ts";
import { PageLink } from "#web/router/page-link.tsx";
import { usePermission } from "#web/session/session.ts";
import { useCounters } from "#web/shared/beers/queries.ts";
import { Ranking } from "#web/shared/ranking.tsx";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import { Cards } from "#web/ui/card.tsx";
import { formatNumber } from "#web/ui/german.ts";
import { Page, Stack } from "#web/ui/layout.tsx";
import { combineQueries, isFailed, QueryState } from "#web/ui/query-state.tsx";
import { QuietAction } from "#web/ui/quiet-action.tsx";
import { StatsCard } from "#web/ui/stats-card.tsx";
import { AverageCard } from "./components/average-card.tsx";
import { CounterCard } from "./components/counter-card.tsx";
import { NewsLine } from "./components/news-line.tsx";
import { PauseLine } from "./components/pause-line.tsx";
import { WeekCard } from "./components/week-card.tsx";
import { YearReviewLink } from "./components/year-review-link.tsx";
import styles from "./page.module.css";
import { useRanking, useTimelyStats } from "./queries.ts";

/**
 * Loaded only if the group has a single member. The card shows its invitation link only once, and
 * is therefore kept until the member leaves the page.
 */
const InvitationCard = lazy(async () => {
  const { InvitationCard: component } = await loadWithRetries(() => import("./components/invitation-card.tsx"));
  return { default: component };
});

export function BeercounterPage(): ReactNode {
  const counters = useCounters();
  const [isWhole, setWhole] = useState(false);
  const ranking = useRanking(counters.isFetchedAfterMount, isWhole);
  const stats = useTimelyStats(counters.isFetchedAfterMount);
  const isAdmin = usePermission("admin");
  const isAlone = ranking.data?.users.length === 1 && isAdmin;
  const [hasInvited, setInvited] = useState(false);
  const isEmpty = isAlone && counters.data?.group === 0;
  const hasStats = !isEmpty && !isFailed(stats);
  const isIncomplete = isFailed(ranking) || isFailed(stats);
  return (
    <Page title="Bier-Counter">
      <PauseLine />
      <Cards>
        <div>
          <CounterCard counters={counters} isFailureShown={!isIncomplete} />
          <NewsLine />
        </div>
        {!isEmpty && !isFailed(ranking) && (
          <StatsCard title="Die Säufer" query={ranking} content="ranking" columns={5}>
            {({ users, total }) => (
              <>
                <Ranking drinkers={users} emptyText="Noch sind alle nüchtern." />
                {total !== undefined && (
                  <QuietAction className={styles["whole"]} onClick={() => setWhole(true)}>
                    Alle {formatNumber(total)} zeigen
                  </QuietAction>
                )}
              </>
            )}
          </StatsCard>
        )}
        {hasStats && <WeekCard stats={stats} />}
        {hasStats && <AverageCard stats={stats} />}
        <Suspense>{(isAlone || hasInvited) && <InvitationCard onInvited={() => setInvited(true)} />}</Suspense>
        {isIncomplete && (
          <div className={styles["failed"]}>
            <BeerMat shape="square">
              <QueryState
                query={combineQueries([counters, ranking, stats])}
                failedText="Die Zahlen konnten gerade nicht geladen werden."
              >
                {() => null}
              </QueryState>
            </BeerMat>
          </div>
        )}
      </Cards>
      <Stack gap={0} className={styles["more"]} data-align="center">
        <QuietAction as={PageLink} href="/statistics">
          Statistik
          <ChevronRight size={18} />
        </QuietAction>
        <YearReviewLink isEnabled={counters.isFetchedAfterMount} />
      </Stack>
    </Page>
  );
}
