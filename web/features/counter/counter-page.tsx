import type { UseQueryResult } from "@tanstack/react-query";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { ChevronDown, ChevronRight, EyeOff, Megaphone, UserPlus } from "lucide-react";
import { Suspense, useEffect, useState, type ReactNode } from "react";

import type { TimelyStats } from "#contract/beercounter.ts";
import type { RunningParty } from "#contract/party.ts";
import { useAskingGuest, useCounters, useRanking, useRunningParties, useTimelyStats } from "#web/features/beers/api.ts";
import { Ranking } from "#web/features/beers/ranking.tsx";
import { isEmptyWeek, listAverageBars, listWeekBars, weekdayIndex } from "#web/features/beers/rules.ts";
import { YearReviewStrip } from "#web/features/beers/year-review-link.tsx";
import { openNews } from "#web/features/group/news.tsx";
import { useParty } from "#web/features/parties/api.ts";
import { PhotoCall } from "#web/features/parties/photo-taker.tsx";
import { emptyTexts, listRanked } from "#web/features/parties/rules.ts";
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
import { CounterCard } from "./counter-card.tsx";
import styles from "./counter-page.module.css";

/** Only for a group with a single member. */
const InvitationCard = lazyPart(async () => (await import("./invitation-card.tsx")).InvitationCard);

const PartySheet = lazyPart(async () => (await import("#web/features/parties/party-sheet.tsx")).PartySheet);

/** The screen of the running party at which the member is, if any. */
export function BeercounterPage(): ReactNode {
  const { data: parties = [], isFetched } = useRunningParties();
  const party = parties.find(({ is_member }) => is_member);
  const asked = useLocation({ select: ({ state }) => state.party });
  const [openedParty, setOpenedParty] = useState(asked);
  const [isSheetOpen, setSheetOpen] = useState(asked !== undefined);
  const navigate = useNavigate();
  // A reload does not open it again.
  useEffect(() => {
    if (asked !== undefined) void navigate({ to: "/beercounter", replace: true, resetScroll: false });
  }, [asked, navigate]);
  // Stays after the end of a party whose sheet is open.
  const sheetId = openedParty ?? party?.id;
  function openParty(id: number): void {
    setOpenedParty(id);
    setSheetOpen(true);
  }
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
  const rankingCard = !isEmpty && !isFailed(ranking) && (
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
  );
  return (
    <Page title={party ? <PartyTitle party={party} onOpen={() => openParty(party.id)} /> : "Bier-Counter"}>
      <Cards className={styles["cards"]}>
        <div>
          <CounterCard
            counters={counters}
            isFailureShown={!isIncomplete}
            parties={parties}
            areConfirmed={isFetched}
            onOpenParty={openParty}
          />
          {party && isFetched && <PhotoCall id={party.id} />}
          <HiddenLine />
          <AskingLine />
          <NewsLine />
        </div>
        {/* Instead of the ranking, which would otherwise move when the parties are known. */}
        {party ? <TonightCard key={party.id} id={party.id} isConfirmed={isFetched} /> : rankingCard}
        {party && rankingCard}
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
      <Stack gap={4} className={styles["more"]} data-align="center">
        <QuietLink to="/statistics">
          Statistik
          <ChevronRight size={18} />
        </QuietLink>
        <YearReviewStrip />
      </Stack>
      <Suspense>
        {sheetId !== undefined && (
          <PartySheet
            key={sheetId}
            id={sheetId}
            isConfirmed={isFetched}
            isOpen={isSheetOpen}
            onClose={() => setSheetOpen(false)}
          />
        )}
      </Suspense>
    </Page>
  );
}

function PartyTitle({ party: { name }, onOpen }: { party: RunningParty; onOpen: () => void }): ReactNode {
  return (
    <>
      <span className="visually-hidden">Bier-Counter: </span>
      {/* Browsers do not report inserted elements as a layout shift. */}
      <button key={name} type="button" className={styles["party"]} aria-haspopup="dialog" onClick={onOpen}>
        <span className="one-line" title={name}>
          {name}
        </span>
        <ChevronDown size={22} />
      </button>
    </>
  );
}

function TonightCard({ id, isConfirmed }: { id: number; isConfirmed: boolean }): ReactNode {
  const party = useParty(id, isConfirmed);
  if (party.data && listRanked(party.data).length === 0) return null;
  return (
    <StatsCard title="Die Säufer des Abends" query={party} content="ranking" columns={5}>
      {(shown) => <Ranking drinkers={listRanked(shown)} emptyText={emptyTexts(shown).ranking} />}
    </StatsCard>
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
    <QuietLink to="/profile" className={styles["hidden"]}>
      <EyeOff size={18} />
      Du bist unsichtbar
      <ChevronRight size={18} />
    </QuietLink>
  );
}

/** Below the tap button, which must not move. */
function AskingLine(): ReactNode {
  const asking = useAskingGuest();
  if (asking === null) return null;
  return (
    <Link to="/party/$id" params={{ id: asking.party }} className={styles["news"]}>
      <UserPlus size={20} />
      <span>
        <strong>{asking.name}</strong> möchte Mitglied werden.
      </span>
      <ChevronRight size={20} />
    </Link>
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
