import type { ReactNode } from "react";

import type { TvScreen } from "#contract/tv.ts";
import { useGroup } from "#web/session/session.ts";
import { useWindowSize } from "#web/shell/window-size.ts";
import { Stack } from "#web/ui/layout.tsx";
import { Logo } from "#web/ui/logo.tsx";
import { computeScale, driftOffset, findShownParty, formatClock } from "../rules.ts";
import styles from "./board.module.css";
import { Latest } from "./latest.tsx";
import { PartyPeople } from "./party-people.tsx";
import { Ranking } from "./ranking.tsx";
import { TonightMat } from "./tonight-mat.tsx";

/**
 * Shows tonight's number of beers, the running party, the ranking and the latest beers. `now` is in
 * milliseconds since the epoch.
 */
export function Board({ screen, now }: { screen: TvScreen; now: number }): ReactNode {
  const { availableWidth, availableHeight } = useWindowSize();
  const { isWide, em } = computeScale(availableWidth, availableHeight);
  const { time_zone } = useGroup();
  const { day, time } = formatClock(now, time_zone);
  const [x, y] = driftOffset(now);
  const party = findShownParty(screen.parties, now);
  return (
    <main className={styles["frame"]} data-wide={isWide || undefined} style={{ fontSize: em }}>
      <div className={styles["board"]} style={{ translate: `${x}px ${y}px` }}>
        <header className={styles["head"]}>
          <Logo size={Math.round(3.6 * em)} />
          <h1 className={`one-line ${styles["name"]}`}>{screen.group_name}</h1>
        </header>
        <section className={styles["counter"]} aria-label="Zähler">
          <TonightMat screen={screen} party={party} time={time} />
          {party && <PartyPeople key={party.id} party={party} em={em} />}
          <Stack as="p" gap={0} data-align="center">
            <span className={styles["time"]}>{time}</span> <span className={styles["day"]}>{day}</span>
          </Stack>
        </section>
        <Ranking drinkers={screen.drinkers} isWide={isWide} em={em} />
        <Latest taps={screen.taps} now={now} em={em} />
      </div>
    </main>
  );
}
