import type { UseQueryResult } from "@tanstack/react-query";
import { ChevronRight, EyeOff, Megaphone } from "lucide-react";
import { Suspense, useState, type ReactNode } from "react";

import type { TimelyStats } from "#contract/beercounter.ts";
import { openNews } from "#web/features/group/news.tsx";
import { QuietLink } from "#web/page/links.tsx";
import { lazyPart } from "#web/page/newer-version.ts";
import { useGroup, usePermission, useMember } from "#web/page/session.ts";
import { BarChart } from "#web/ui/bar-chart.tsx";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import { QuietAction } from "#web/ui/button.tsx";
import { Cards } from "#web/ui/card.tsx";
import { formatNumber } from "#web/ui/german.ts";
import { Page, Stack } from "#web/ui/layout.tsx";
import { combineQueries, isFailed, QueryState } from "#web/ui/query-state.tsx";
import { StatsCard } from "#web/ui/stats-card.tsx";
import { useNow } from "#web/ui/use-now.ts";
import { useCounters, useRanking, useTimelyStats } from "./api.ts";
import { CounterCard } from "./counter-card.tsx";
import styles from "./counter-page.module.css";
import { Ranking } from "./ranking.tsx";
import { isEmptyWeek, listAverageBars, listWeekBars, weekdayIndex } from "./rules.ts";
import { YearReviewStrip } from "./year-review-link.tsx";

/** Only for a group with a single member. */
const InvitationCard = lazyPart(async () => (await import("./invitation-card.tsx")).InvitationCard);

export function BeercounterPage(): ReactNode {
  const counters = useCounters();
  const [isWhole, setWhole] = useState(false);
  const ranking = useRanking(isWhole);
  const stats = useTimelyStats();
  const isAdmin = usePermission("admin");
  const isAlone = ranking.data?.users.length === 1 && isAdmin;
  // The link is shown only once, so its card stays.
  const [hasInvited, setInvited] = useState(false);
  const isEmpty = isAlone && counters.data?.group === 0;
  const hasStats = !isEmpty && !isFailed(stats);
  const isIncomplete = isFailed(ranking) || isFailed(stats);
  return (
    <Page title="Bier-Counter">
      <Cards>
        <div>
          <CounterCard counters={counters} isFailureShown={!isIncomplete} />
          <HiddenLine />
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
        <QuietLink to="/statistics">
          Statistik
          <ChevronRight size={18} />
        </QuietLink>
        <YearReviewStrip />
      </Stack>
    </Page>
  );
}

const chartHeight = 200;
const emptyChartHeight = 120;

function WeekCard({ stats }: { stats: UseQueryResult<TimelyStats> }): ReactNode {
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

function AverageCard({ stats }: { stats: UseQueryResult<TimelyStats> }): ReactNode {
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

/** Below the tap button, which must not move. */
function HiddenLine(): ReactNode {
  if (useMember()?.visibility !== "hidden") return null;
  return (
    <QuietLink to="/member" className={styles["hidden"]}>
      <EyeOff size={18} />
      Du bist unsichtbar
      <ChevronRight size={18} />
    </QuietLink>
  );
}

/** Below the tap button, which must not move. Opening the news hides the line permanently. */
function NewsLine(): ReactNode {
  const user = useMember();
  if (!user?.has_unread_news) return null;
  return (
    <button type="button" className={styles["news"]} onClick={openNews}>
      <Megaphone size={20} />
      <span>
        <strong>Was ist neu</strong> Die App hat dazugelernt.
      </span>
      <ChevronRight size={20} />
    </button>
  );
}
