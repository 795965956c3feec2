import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState, type CSSProperties, type ReactNode } from "react";

import type { TvScope, TvScreen } from "#contract/tv.ts";
import { Celebration } from "#web/features/beers/celebration.tsx";
import { describeSum } from "#web/features/beers/party-rules.ts";
import { milestoneTexts } from "#web/features/beers/rules.ts";
import { Footer } from "#web/page/footer.tsx";
import { useGroup } from "#web/page/session.ts";
import { useWindowSize } from "#web/page/window-size.ts";
import { scallops } from "#web/ui/beer-mat.tsx";
import { formatNumber, formatTimeOfDay } from "#web/ui/german.ts";
import { useNow } from "#web/ui/use-now.ts";
import { noConnection, TokenContext, useTvScreen, type ShownReply } from "./api.ts";
import { Board, TvPortrait, type ViewProps } from "./board.tsx";
import { useKiosk } from "./kiosk.ts";
import styles from "./page.module.css";
import { FullScreenMessage, Pairing } from "./pairing.tsx";
import {
  clockHands,
  clockPlace,
  computeScale,
  findAnnouncement,
  findShownParty,
  formatClock,
  isQuiet,
  prostText,
  tonightText,
  type Announcement,
} from "./rules.ts";
import { keepTabletToken, useTvToken } from "./token.ts";

export function TvPage(): ReactNode {
  useKiosk();
  const { token, setToken } = useTvToken();
  const [isRevoked, setRevoked] = useState(false);
  const navigate = useNavigate();
  const revoke = (): void => {
    setRevoked(true);
    setToken(null);
  };
  const pair = (found: string, scope: TvScope): void => {
    if (scope === "tv") return setToken(found);
    keepTabletToken(found);
    void navigate({ to: "/tablet", replace: true });
  };
  return (
    <div className={styles["page"]}>
      {token === null ? (
        <Pairing scope="tv" isRevoked={isRevoked} onPaired={pair} />
      ) : (
        <TokenContext value={token}>
          <Television key={token} token={token} onRevoked={revoke} />
        </TokenContext>
      )}
      <div className={styles["print"]}>
        <Footer isInert={false} />
      </div>
    </div>
  );
}

/** Short enough for labels such as "vor 2 Min." */
const tickMs = 10_000;

function Television({ token, onRevoked }: { token: string; onRevoked: () => void }): ReactNode {
  const { reply, clockOffset, isCutOff, isRevoked } = useTvScreen(token);
  const now = useNow(tickMs) + clockOffset;
  const [openedAt] = useState(() => Date.now());
  const { availableWidth, availableHeight } = useWindowSize();
  const { isWide, em } = computeScale(availableWidth, availableHeight);
  const { time_zone } = useGroup();
  useEffect(() => {
    if (isRevoked) onRevoked();
  }, [isRevoked, onRevoked]);
  if (!reply) return <FullScreenMessage title="Einen Moment …">{isCutOff && noConnection}</FullScreenMessage>;
  const { screen } = reply;
  const View = isQuiet(screen, openedAt + clockOffset, now) ? QuietClock : Board;
  return (
    <>
      <View screen={screen} now={now} isWide={isWide} em={em} />
      {/* The slow movement could shift messages off the screen. */}
      <div style={{ fontSize: em }}>
        <p className={styles["offline"]} role="status">
          {isCutOff && `Keine Verbindung – Stand von ${formatTimeOfDay(reply.now, time_zone)}`}
        </p>
        <Announcements reply={reply} em={em} />
      </div>
    </>
  );
}

/** Replaces the previous announcement by a new one. */
function Announcements({ reply: { screen, now }, em }: { reply: ShownReply; em: number }): ReactNode {
  const before = useRef(screen);
  const [announcement, setAnnouncement] = useState<Announcement | null>(null);
  useEffect(() => {
    const next = findAnnouncement(before.current, screen, Date.parse(now));
    before.current = screen;
    if (next !== null) setAnnouncement(next);
  }, [screen, now]);
  if (announcement === null) return null;
  const end = (): void => setAnnouncement(null);
  if (announcement.kind === "taps") {
    return <Prost key={announcement.key} drinkers={announcement.drinkers} em={em} onEnd={end} />;
  }
  const { count, userName, avatarId } = announcement.milestone;
  return (
    <div className={styles["large"]}>
      <Celebration
        key={announcement.key}
        count={count}
        {...milestoneTexts(announcement.milestone, null)}
        picture={userName !== null && <TvPortrait id={avatarId} name={userName} size={6 * em} />}
        onEnd={end}
      />
    </div>
  );
}

const visibleMs = 4000;
const maxPortraits = 5;

interface ProstProps {
  readonly drinkers: TvScreen["taps"];
  readonly em: number;
  readonly onEnd: () => void;
}

function Prost({ drinkers, em, onEnd }: ProstProps): ReactNode {
  const end = useRef(onEnd);
  useEffect(() => {
    const timer = setTimeout(() => end.current(), visibleMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={styles["prost"]} role="status">
      <div className={styles["people"]}>
        {drinkers.slice(0, maxPortraits).map(({ id, name, avatarId }) => (
          <span key={id} className={styles["person"]}>
            <TvPortrait id={avatarId} name={name} size={(drinkers.length === 1 ? 22 : 14) * em} />
          </span>
        ))}
      </div>
      <p className={styles["text"]}>{prostText(drinkers.map(({ name }) => name))}</p>
    </div>
  );
}

/** Moves to prevent burn-in. */
function QuietClock({ screen, now, isWide, em }: ViewProps): ReactNode {
  const { time_zone } = useGroup();
  const { day, time } = formatClock(now, time_zone);
  const { x, y } = clockPlace(now);
  const party = findShownParty(screen.parties, now);
  const sum = party && describeSum(party);
  const place: CSSProperties & Record<`--${string}`, number> = { fontSize: em, "--x": x, "--y": y };
  return (
    <main className={styles["night"]} data-wide={isWide || undefined} style={place} aria-label="Uhr">
      <div className={styles["clock"]}>
        <ClockFace time={time} name={screen.group_short} />
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

const marks = Array.from({ length: 12 }, (_, hour) => hour * 30);

function ClockFace({ time, name }: { time: string; name: string }): ReactNode {
  const { hour, minute } = clockHands(time);
  return (
    <svg className={styles["face"]} viewBox="-200 -200 400 400" aria-hidden="true">
      <path className={styles["disc"]} d={scallops} />
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
