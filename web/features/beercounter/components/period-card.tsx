import type { UseQueryResult } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ChevronLeft, ChevronRight } from "lucide-react";
import type { CSSProperties, ReactNode } from "react";

import type { PeriodStats, Span } from "#contract/statistics.ts";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import { Choice } from "#web/ui/choice.tsx";
import { formatAlcoholFree, formatNumber } from "#web/ui/german.ts";
import { QueryState } from "#web/ui/query-state.tsx";
import { RollingNumber } from "#web/ui/rolling-number.tsx";
import { searchOf, type PeriodChoice } from "../period-rules.ts";
import { formatComparison, formatPeriod } from "../statistics-rules.ts";
import styles from "./period-card.module.css";

const spans: readonly { value: Span; label: string }[] = [
  { value: "week", label: "Woche" },
  { value: "month", label: "Monat" },
  { value: "year", label: "Jahr" },
  { value: "all", label: "Gesamt" },
];

interface PeriodCardProps {
  readonly choice: PeriodChoice;
  readonly query: UseQueryResult<PeriodStats>;
}

/**
 * Shows a period, its number of beers and buttons for the neighboring periods. The card has the
 * same height while it loads.
 */
export function PeriodCard({ choice, query }: PeriodCardProps): ReactNode {
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
  const total = stats && formatNumber(stats.total);
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
              <span className={styles["alcoholFree"]}>{formatAlcoholFree(stats!.alcohol_free)}</span>
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

/**
 * Button that shows the previous or next period, which contains `day`. If `day` is `null`, the
 * button is disabled but keeps the focus.
 */
function Arrow({
  direction,
  choice,
  day,
}: {
  direction: keyof typeof arrows;
  choice: PeriodChoice;
  day: string | null;
}): ReactNode {
  const choose = useChoosePeriod();
  const { label, Icon } = arrows[direction];
  return (
    <button
      type="button"
      className={`touch-target ${styles["arrow"]}`}
      data-direction={direction}
      aria-label={label}
      aria-disabled={day === null}
      onClick={() => day !== null && choose({ ...choice, day })}
    >
      <Icon />
    </button>
  );
}

/**
 * Returns a function that puts another period into the page's address and keeps the scroll
 * position.
 */
function useChoosePeriod(): (choice: PeriodChoice) => void {
  const navigate = useNavigate();
  return (choice) => void navigate({ to: "/statistics", search: searchOf(choice), resetScroll: false });
}
