import { useNavigate } from "@tanstack/react-router";
import { CloudOff } from "lucide-react";
import { useCallback, useEffect, useRef, useState, type ReactNode } from "react";

import { tabletUndoMs, type Face, type TabletScreen } from "#contract/tablet.ts";
import type { TvScope } from "#contract/tv.ts";
import { isPending } from "#web/client/outbox-rules.ts";
import type { Outbox } from "#web/client/outbox.ts";
import { useGroup, useStore } from "#web/page/session.ts";
import { useWindowSize } from "#web/page/window-size.ts";
import { BeerMat, MatNumber } from "#web/ui/beer-mat.tsx";
import { formatBeers, formatNumber } from "#web/ui/german.ts";
import { useNow } from "#web/ui/use-now.ts";
import { noConnection, TokenContext } from "./api.ts";
import { Faces } from "./faces.tsx";
import { useIsIdle, useKiosk } from "./kiosk.ts";
import { FullScreenMessage, Pairing } from "./pairing.tsx";
import { PinDialog, pinNeedsConnection, type PinTap } from "./pin-dialog.tsx";
import { Receipts } from "./receipts.tsx";
import { clockPlace, formatClock } from "./rules.ts";
import { forgetTabletScreen, tapOf, undoTapOf, useTabletOutbox, useTabletScreen } from "./tablet-api.ts";
import styles from "./tablet-page.module.css";
import { addReceipt, type Receipt } from "./tablet-rules.ts";
import { keepTvToken, useTabletToken } from "./token.ts";

/** The people in front of a tablet book beers by tapping faces. */
export function TabletPage(): ReactNode {
  useKiosk();
  const { token, setToken } = useTabletToken();
  const [isEnded, setEnded] = useState(false);
  const navigate = useNavigate();
  const pair = (found: string, scope: TvScope): void => {
    if (scope === "tablet") return setToken(found);
    keepTvToken(found);
    void navigate({ to: "/tv", replace: true });
  };
  const end = useCallback(() => {
    forgetTabletScreen();
    setEnded(true);
    setToken(null);
  }, [setToken]);
  if (token === null) return <Pairing scope="tablet" isRevoked={isEnded} onPaired={pair} />;
  return (
    <TokenContext value={token}>
      <Tablet key={token} token={token} onEnded={end} />
    </TokenContext>
  );
}

function Tablet({ token, onEnded }: { token: string; onEnded: () => void }): ReactNode {
  const { screen, isCutOff, isEnded } = useTabletScreen(token);
  const [notice, setNotice] = useNotice();
  const outbox = useTabletOutbox(token, setNotice);
  const isNight = useIsIdle(nightAfterMs, false);
  useEffect(() => {
    if (isEnded) onEnded();
  }, [isEnded, onEnded]);
  if (!screen || !outbox)
    return <FullScreenMessage title="Einen Moment …">{isCutOff && noConnection}</FullScreenMessage>;
  return (
    <>
      <Taproom
        token={token}
        screen={screen}
        outbox={outbox}
        isCutOff={isCutOff}
        notice={notice}
        onNotice={setNotice}
        isNight={isNight}
      />
      {isNight && <NightClock />}
    </>
  );
}

const noticeMs = 6000;

function useNotice() {
  const [notice, setNotice] = useState("");
  useEffect(() => {
    if (notice === "") return;
    const timer = setTimeout(() => setNotice(""), noticeMs);
    return () => clearTimeout(timer);
  }, [notice]);
  return [notice, setNotice] as const;
}

interface TaproomProps {
  readonly token: string;
  readonly screen: TabletScreen;
  readonly outbox: Outbox;
  readonly isCutOff: boolean;
  readonly notice: string;
  readonly onNotice: (text: string) => void;
  readonly isNight: boolean;
}

function Taproom({ token, screen, outbox, isCutOff, notice, onNotice, isNight }: TaproomProps): ReactNode {
  const [asked, setAsked] = useState<PinTap | null>(null);
  const { receipts, show, undo } = useReceipts(outbox);
  const waiting = useStore(outbox.entries).filter(isPending);
  function tap(face: Face, kind: "0,0" | null): void {
    navigator.vibrate?.(12);
    if (!face.has_pin) return show({ face, kind }, outbox.add({ ...tapOf(face), body: kind === null ? {} : { kind } }));
    if (isCutOff) onNotice(pinNeedsConnection);
    else setAsked({ face, kind });
  }
  return (
    <main className={styles["taproom"]} inert={isNight}>
      <Counter screen={screen} waiting={waiting.length} isCutOff={isCutOff} />
      <Faces faces={screen.faces} isSteady={receipts.some((receipt) => receipt !== null)} onTap={tap} />
      <Receipts receipts={receipts} notice={notice} onUndo={undo} />
      <PinDialog
        token={token}
        tap={asked}
        onBooked={(booked, key) => {
          setAsked(null);
          show(booked, key);
        }}
        onClose={(unanswered) => {
          if (unanswered !== null && asked) void outbox.undo(unanswered, undoTapOf(asked.face, unanswered));
          setAsked(null);
        }}
      />
    </main>
  );
}

/** Widths in px from which there is room for more receipts. */
const twoFrom = 600;
const threeFrom = 900;

function useReceipts(outbox: Outbox) {
  const { availableWidth } = useWindowSize();
  const count = availableWidth >= threeFrom ? 3 : availableWidth >= twoFrom ? 2 : 1;
  const [receipts, setReceipts] = useState<readonly (Receipt | null)[]>([null, null, null]);
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>());
  useEffect(() => {
    const running = timers.current;
    return () => {
      for (const timer of running) clearTimeout(timer);
    };
  }, []);
  const change = (key: string, to: (receipt: Receipt) => Receipt | null): void =>
    setReceipts((shown) => shown.map((receipt) => (receipt?.key === key ? to(receipt) : receipt)));
  return {
    receipts: receipts.slice(0, count),
    show({ face, kind }: PinTap, key: string): void {
      const receipt = { key, face, kind, isUndone: false, shownAt: performance.now() };
      setReceipts((shown) => [...addReceipt(shown.slice(0, count), receipt), ...shown.slice(count)]);
      timers.current.add(setTimeout(() => change(key, () => null), tabletUndoMs));
    },
    undo({ key, face }: Receipt): void {
      change(key, (receipt) => ({ ...receipt, isUndone: true }));
      void outbox.undo(key, undoTapOf(face, key));
    },
  };
}

interface CounterProps {
  readonly screen: TabletScreen;
  readonly waiting: number;
  readonly isCutOff: boolean;
}

function Counter({ screen, waiting, isCutOff }: CounterProps): ReactNode {
  const { name, group_name, group_short, total, parties } = screen;
  return (
    <section className={styles["counter"]} aria-label="Zähler">
      <div className={styles["mat"]}>
        <BeerMat shape="round">
          <p className={styles["short"]}>{group_short}</p>
          <p>
            <MatNumber text={formatNumber(total + waiting)} data-counter="group" />
          </p>
        </BeerMat>
      </div>
      <div className={styles["words"]}>
        <h1>{group_name}</h1>
        <p className={styles["place"]}>
          {name}{" "}
          <span className={styles["state"]} role="status">
            {isCutOff && (
              <>
                <CloudOff size={18} />
                {` getrennt, ${waiting === 0 ? "Striche werden nachgetragen" : `${formatBeers(waiting)} ${waiting === 1 ? "wartet" : "warten"}`}`}
              </>
            )}
          </span>
        </p>
        {parties.map((party) => (
          <p key={party.id} className={styles["party"]}>
            <strong data-counter="party">{formatNumber(party.total)}</strong> {party.name}
          </p>
        ))}
      </div>
    </section>
  );
}

const nightAfterMs = 5 * 60_000;
/** Short enough for the time of day. */
const clockTickMs = 10_000;

/** Darkens an unused screen. The first touch only wakes it. */
function NightClock(): ReactNode {
  const { time_zone } = useGroup();
  const now = useNow(clockTickMs);
  const { x, y } = clockPlace(now);
  return (
    <button type="button" className={styles["night"]}>
      {/* Moves to prevent burn-in. */}
      <span className={styles["clock"]} style={{ translate: `${x / 5}% ${y}%` }}>
        <span className={styles["time"]}>{formatClock(now, time_zone).time}</span>
        Antippen zum Zapfen
      </span>
    </button>
  );
}
