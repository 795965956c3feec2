import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { ChevronLeft, ChevronRight } from "lucide-react";
import type { CSSProperties, ReactNode } from "react";

import { getPeriodStats, type PeriodStats, type Span } from "#contract/statistics.ts";
import { keptOptions, replyOptions } from "#web/client/queries.ts";
import { isSameDay } from "#web/features/beers/rules.ts";
import { YearReviewLink } from "#web/features/beers/year-review-link.tsx";
import { BackLink } from "#web/page/links.tsx";
import { useClient, useGroup, useMember } from "#web/page/session.ts";
import { BarChart } from "#web/ui/bar-chart.tsx";
import { BeerMat, RollingNumber } from "#web/ui/beer-mat.tsx";
import { IconButton } from "#web/ui/button.tsx";
import { Cards } from "#web/ui/card.tsx";
import { Choice } from "#web/ui/choice.tsx";
import { formatAlcoholFree, formatNumber } from "#web/ui/german.ts";
import { Page, Stack } from "#web/ui/layout.tsx";
import { QueryState } from "#web/ui/query-state.tsx";
import { StatsCard } from "#web/ui/stats-card.tsx";
import { choiceOf, searchOf, type PeriodChoice } from "./period-rules.ts";
import { RankingRows } from "./ranking-rows.tsx";
import { chartTitle, emptyTexts, formatComparison, formatPeriod, listPeriodBars } from "./rules.ts";
import styles from "./statistics-page.module.css";

export function StatisticsPage(): ReactNode {
  const choice = choiceOf(useSearch({ from: "/statistics" }));
  const stats = usePeriodStats(choice);
  return (
    <Page title="Statistik">
      <BackLink to="/beercounter">Bier-Counter</BackLink>
      <Cards className={styles["cards"]} aria-busy={stats.isPending || stats.isPlaceholderData}>
        <PeriodCard choice={choice} query={stats} />
        {(stats.data !== undefined || stats.isPending) && (
          <>
            <StatsCard title="Die Säufer" query={stats} content="ranking" columns={5}>
              {(period) => (
                <RankingRows
                  key={`${period.span} ${period.from}`}
                  drinkers={period.users}
                  emptyText={emptyTexts(period).ranking}
                />
              )}
            </StatsCard>
            <div className={styles["chart"]}>
              <StatsCard title={chartTitle(choice, stats.data)} query={stats} content="chart" columns={7}>
                {(period) => (
                  <BarChart
                    key={period.from}
                    label="Biere im Zeitraum"
                    bars={listPeriodBars(period)}
                    height={200}
                    barWidth={period.span === "month" ? 22 : 50}
                    layout={period.span === "week" ? "fit" : "dense"}
                    emptyText={period.total === 0 ? emptyTexts(period).chart : undefined}
                  />
                )}
              </StatsCard>
            </div>
          </>
        )}
      </Cards>
      <Stack gap={0} className={styles["more"]} data-align="center">
        <YearReviewLink />
      </Stack>
    </Page>
  );
}

/** Keeps the numbers of the previous period until the new ones are loaded. */
function usePeriodStats({ span, day }: PeriodChoice): UseQueryResult<PeriodStats> {
  const { storage } = useClient();
  const { time_zone: timeZone } = useGroup();
  return useQuery({
    ...replyOptions(getPeriodStats, { query: { span, ...(day !== null && { day }) } }),
    ...(day === null &&
      keptOptions(storage, getPeriodStats, `statistics-${span}`, (at) => isSameDay(at, Date.now(), timeZone))),
    placeholderData: keepPreviousData,
  });
}

const spans: readonly { value: Span; label: string }[] = [
  { value: "week", label: "Woche" },
  { value: "month", label: "Monat" },
  { value: "year", label: "Jahr" },
  { value: "all", label: "Gesamt" },
];

/** Has the same height while it loads. */
function PeriodCard({ choice, query }: { choice: PeriodChoice; query: UseQueryResult<PeriodStats> }): ReactNode {
  const choose = useChoosePeriod();
  return (
    <section className={styles["card"]} aria-label="Zeitraum">
      <BeerMat shape="chart">
        <div className={styles["choice"]}>
          <Choice
            label="Zeitraum"
            options={spans}
            value={choice.span}
            onChange={(span) => choose({ ...choice, span })}
            place="page"
          />
        </div>
        <QueryState
          query={query}
          failedText="Die Zahlen konnten gerade nicht geladen werden."
          skeleton={<Period choice={choice} stats={undefined} />}
        >
          {(stats) => <Period choice={choice} stats={stats} />}
        </QueryState>
      </BeerMat>
    </section>
  );
}

function Period({ choice, stats }: { choice: PeriodChoice; stats: PeriodStats | undefined }): ReactNode {
  const memberId = useMember()?.id;
  const total = stats && formatNumber(stats.total);
  const own = stats?.users.find(({ id }) => id === memberId)?.beercounter_entries_count ?? 0;
  return (
    <>
      <div className={styles["period"]} data-loading={stats ? undefined : ""}>
        {choice.span !== "all" && <Arrow direction="earlier" choice={choice} day={stats?.earlier ?? null} />}
        <h2 className={styles["text"]} aria-live="polite">
          {stats && formatPeriod(stats)}
        </h2>
        {choice.span !== "all" && <Arrow direction="later" choice={choice} day={stats?.later ?? null} />}
      </div>
      <div data-loading={stats ? undefined : ""}>
        <p className={styles["beers"]}>
          {total !== undefined && (
            <>
              <span
                className={styles["total"]}
                style={{ "--characters": total.length } as CSSProperties}
                data-counter="period"
              >
                <RollingNumber text={total} />
              </span>{" "}
              {total === "1" ? "Bier" : "Biere"}
              <span className={styles["part"]}>{formatAlcoholFree(stats!.alcohol_free)}</span>
              {own > 0 && <span className={styles["part"]}>davon {formatNumber(own)} von dir</span>}
            </>
          )}
        </p>
        <p className={styles["comparison"]}>{stats && formatComparison(stats)}</p>
      </div>
    </>
  );
}

const arrows = {
  earlier: { label: "Zeitraum davor", Icon: ChevronLeft },
  later: { label: "Zeitraum danach", Icon: ChevronRight },
} as const;

interface ArrowProps {
  readonly direction: keyof typeof arrows;
  readonly choice: PeriodChoice;
  /** A day of the other period. */
  readonly day: string | null;
}

function Arrow({ direction, choice, day }: ArrowProps): ReactNode {
  const choose = useChoosePeriod();
  const { label, Icon } = arrows[direction];
  return (
    // A disabled button would lose the focus.
    <IconButton
      className={styles["arrow"]}
      label={label}
      data-direction={direction}
      aria-disabled={day === null}
      onClick={() => day !== null && choose({ ...choice, day })}
    >
      <Icon />
    </IconButton>
  );
}

function useChoosePeriod(): (choice: PeriodChoice) => void {
  const navigate = useNavigate();
  return (choice) => void navigate({ to: "/statistics", search: searchOf(choice), resetScroll: false });
}
