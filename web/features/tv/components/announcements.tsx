import { useState, type ReactNode } from "react";

import type { TvScreen } from "#contract/tv.ts";
import { Celebration } from "#web/features/beers/celebration.tsx";
import { useWindowSize } from "#web/shell/window-size.ts";
import { milestoneTexts, findAnnouncement, computeScale, type Announcement } from "../rules.ts";
import styles from "./announcements.module.css";
import { Prost } from "./prost.tsx";
import { TvPortrait } from "./tv-portrait.tsx";

/**
 * Announces new beers and milestones in large type for a few seconds. A new announcement replaces
 * the previous one.
 */
export function Announcements({ screen, ahead }: { screen: TvScreen; ahead: number }): ReactNode {
  const { availableWidth, availableHeight } = useWindowSize();
  const { em } = computeScale(availableWidth, availableHeight);
  const [seen, setSeen] = useState(screen);
  const [announcement, setAnnouncement] = useState<Announcement | null>(null);
  if (screen !== seen) {
    setSeen(screen);
    setAnnouncement(findAnnouncement(seen, screen, Date.now() + ahead) ?? announcement);
  }
  const end = (): void => setAnnouncement(null);
  return (
    <div className={styles["announcements"]} style={{ fontSize: em }}>
      {announcement?.kind === "taps" && (
        <Prost key={announcement.key} drinkers={announcement.drinkers} em={em} onEnd={end} />
      )}
      {announcement?.kind === "milestone" && (
        <div className={styles["large"]}>
          <Celebration
            key={announcement.key}
            count={announcement.milestone.count}
            {...milestoneTexts(announcement.milestone)}
            picture={
              announcement.milestone.userName !== null && (
                <TvPortrait id={announcement.milestone.avatarId} name={announcement.milestone.userName} size={6 * em} />
              )
            }
            onEnd={end}
          />
        </div>
      )}
    </div>
  );
}
