import { useState, type ReactNode } from "react";

import type { TvScreen } from "#contract/tv.ts";
import { useWindowSize } from "#web/platform/window-size.ts";
import { Celebration } from "#web/ui/celebration.tsx";
import { milestoneTexts, findAnnouncement, computeScale, type Announcement } from "../rules.ts";
import styles from "./announcements.module.css";
import { Prost } from "./prost.tsx";
import { TvPortrait } from "./tv-portrait.tsx";

/** Shows for a few seconds what has changed since the screen before; the newest replaces the older one. */
export function Announcements({ screen, ahead }: { screen: TvScreen; ahead: number }): ReactNode {
  const { availableWidth, availableHeight } = useWindowSize();
  const { em } = computeScale(availableWidth, availableHeight);
  const [seen, setSeen] = useState(screen);
  const [moment, setMoment] = useState<Announcement | null>(null);
  if (screen !== seen) {
    setSeen(screen);
    setMoment(findAnnouncement(seen, screen, Date.now() + ahead) ?? moment);
  }
  const end = (): void => setMoment(null);
  return (
    <div className={styles["announcements"]} style={{ fontSize: em }}>
      {moment?.kind === "taps" && <Prost key={moment.key} drinkers={moment.drinkers} em={em} onEnd={end} />}
      {moment?.kind === "milestone" && (
        <div className={styles["large"]}>
          <Celebration
            key={moment.key}
            count={moment.milestone.count}
            {...milestoneTexts(moment.milestone)}
            picture={<TvPortrait id={moment.milestone.avatarId} name={moment.milestone.userName} size={6 * em} />}
            onEnd={end}
          />
        </div>
      )}
    </div>
  );
}
