import type { ReactNode } from "react";

import type { TvScreen } from "#contract/tv.ts";
import { useGroup } from "#web/platform/session.ts";
import { useWindowSize } from "#web/platform/window-size.ts";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import { formatNumber, formatTimeOfDay } from "#web/ui/german.ts";
import { Stack } from "#web/ui/layout.tsx";
import { Logo } from "#web/ui/logo.tsx";
import { MatNumber } from "#web/ui/mat-number.tsx";
import { useNow } from "#web/ui/use-now.ts";
import { formatClock, driftOffset, computeScale } from "../rules.ts";
import styles from "./board.module.css";
import { Latest } from "./latest.tsx";
import { Ranking } from "./ranking.tsx";

/** Often enough for "vor 2 Min." */
const tickMs = 10_000;

interface BoardProps {
  readonly screen: TvScreen;
  /** By how many ms the server's clock is ahead. */
  readonly clockOffset: number;
  /** When the server answered last, in epoch ms; null while it does. */
  readonly disconnectedSince: number | null;
}

/** The picture that stays: the total, everybody's bar, and who drank last. */
export function Board({ screen, clockOffset, disconnectedSince }: BoardProps): ReactNode {
  const { availableWidth, availableHeight } = useWindowSize();
  const { isWide, em } = computeScale(availableWidth, availableHeight);
  const { time_zone } = useGroup();
  const now = useNow(tickMs) + clockOffset;
  const { day, time } = formatClock(now, time_zone);
  const [x, y] = driftOffset(now);
  return (
    <main className={styles["frame"]} data-wide={isWide || undefined} style={{ fontSize: em }}>
      <div className={styles["board"]} style={{ translate: `${x}px ${y}px` }}>
        <header className={styles["head"]}>
          <Logo size={Math.round(3.6 * em)} />
          <h1 className={`one-line ${styles["name"]}`}>{screen.group_name}</h1>
        </header>
        <section className={styles["counter"]} aria-label="Zähler">
          <div className={styles["mat"]} data-counter-mat>
            <BeerMat shape="round">
              <p className={styles["short"]}>{screen.group_short}</p>
              <p>
                <MatNumber text={formatNumber(screen.total)} data-counter="group" />
              </p>
            </BeerMat>
          </div>
          <Stack as="p" gap={0} data-align="center">
            <span className={styles["time"]}>{time}</span> <span className={styles["day"]}>{day}</span>
          </Stack>
        </section>
        <Ranking drinkers={screen.drinkers} isWide={isWide} em={em} />
        <Latest taps={screen.taps} now={now} em={em} />
      </div>
      {/* Beside the board: what is in it moves along with it, also out of the window. */}
      <p className={styles["offline"]} role="status">
        {disconnectedSince !== null && `Keine Verbindung – Stand von ${formatTimeOfDay(disconnectedSince, time_zone)}`}
      </p>
    </main>
  );
}
