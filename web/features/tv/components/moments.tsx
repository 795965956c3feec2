import { useState, type ReactNode } from "react";

import type { TvScreen } from "#contract/tv.ts";
import { useWindowSize } from "#web/platform/window-size.ts";
import { Celebration } from "#web/ui/celebration.tsx";

import { milestoneWords, momentBetween, scaleOf, type Moment } from "../rules.ts";
import styles from "./moments.module.css";
import { Prost } from "./prost.tsx";

/** Shows for a few seconds what has changed since the screen before; the newest replaces the older one. */
export function Moments({ screen, ahead }: { screen: TvScreen; ahead: number }): ReactNode {
  const { availableWidth, availableHeight } = useWindowSize();
  const { em } = scaleOf(availableWidth, availableHeight);
  const [seen, setSeen] = useState(screen);
  const [moment, setMoment] = useState<Moment | null>(null);
  if (screen !== seen) {
    setSeen(screen);
    setMoment(momentBetween(seen, screen, Date.now() + ahead) ?? moment);
  }
  const end = (): void => setMoment(null);
  return (
    <div className={styles["moments"]} style={{ fontSize: em }}>
      {moment?.kind === "taps" && <Prost key={moment.key} drinkers={moment.drinkers} em={em} onEnd={end} />}
      {moment?.kind === "milestone" && (
        <div className={styles["large"]}>
          <Celebration key={moment.key} {...milestoneWords(moment.milestone)} onEnd={end} />
        </div>
      )}
    </div>
  );
}
