import type { CSSProperties, ReactNode } from "react";

import type { TvScreen } from "#contract/tv.ts";
import { describeSum } from "#web/features/beers/party-rules.ts";
import { useGroup } from "#web/session/session.ts";
import { useWindowSize } from "#web/shell/window-size.ts";
import { scallops } from "#web/ui/beer-mat.tsx";
import { formatNumber } from "#web/ui/german.ts";
import { clockHands, clockPlace, computeScale, findShownParty, formatClock, tonightText } from "../rules.ts";
import styles from "./quiet-clock.module.css";

const marks = Array.from({ length: 12 }, (_, hour) => hour * 30);

/**
 * Shows a clock that moves over the screen to prevent burn-in. `now` is in milliseconds since the
 * epoch.
 */
export function QuietClock({ screen, now }: { screen: TvScreen; now: number }): ReactNode {
  const { availableWidth, availableHeight } = useWindowSize();
  const { isWide, em } = computeScale(availableWidth, availableHeight);
  const { time_zone } = useGroup();
  const { day, time } = formatClock(now, time_zone);
  const { x, y } = clockPlace(now);
  const party = findShownParty(screen.parties, now);
  const sum = party && describeSum(party);
  const place: CSSProperties & Record<`--${string}`, number> = { fontSize: em, "--x": x, "--y": y };
  return (
    <main className={styles["night"]} data-wide={isWide || undefined} style={place} aria-label="Uhr">
      <div className={styles["clock"]}>
        <Face time={time} name={screen.group_short} />
        <div>
          <p className={styles["time"]}>{time}</p>
          <p className={styles["day"]}>{day}</p>
          <p className={styles["counts"]}>
            <span>
              <strong data-counter="tonight">{formatNumber(party?.total ?? screen.tonight ?? screen.total)}</strong>{" "}
              {party?.name ?? tonightText(time)}
              {sum !== null && ` (${sum})`}
            </span>{" "}
            <span>
              <strong data-counter="group">{formatNumber(screen.total)}</strong> insgesamt
            </span>
          </p>
        </div>
      </div>
    </main>
  );
}

/** Draws the clock face: a round beer mat with hour marks and two hands. */
function Face({ time, name }: { time: string; name: string }): ReactNode {
  const { hour, minute } = clockHands(time);
  return (
    <svg className={styles["face"]} viewBox="-200 -200 400 400" aria-hidden="true">
      <path className={styles["board"]} d={scallops} />
      <circle className={styles["ring"]} r="181" strokeWidth="4" />
      <circle className={styles["ring"]} r="174" strokeWidth="1.2" />
      {marks.map((turn) => {
        const [width, length] = turn % 90 === 0 ? [11, 34] : [6, 22];
        return (
          <rect
            key={turn}
            className={styles["mark"]}
            x={-width / 2}
            y="-162"
            width={width}
            height={length}
            rx="3"
            transform={`rotate(${turn})`}
          />
        );
      })}
      <text className={styles["name"]} y="78" textAnchor="middle">
        {name}
      </text>
      <path className={styles["hand"]} d="M-8 26 L-6 -88 Q0 -98 6 -88 L8 26 Z" transform={`rotate(${hour})`} />
      <path className={styles["hand"]} d="M-6 32 L-3.5 -138 Q0 -148 3.5 -138 L6 32 Z" transform={`rotate(${minute})`} />
      <circle className={styles["hub"]} r="12" />
    </svg>
  );
}
