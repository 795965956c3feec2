import { CloudOff, History as HistoryIcon, TabletSmartphone, Undo2 } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";

import type { BeerKind } from "#contract/beercounter.ts";
import { useMessage } from "#web/page/messages.tsx";
import { useGroup } from "#web/page/session.ts";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import { Button, QuietAction } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { formatBeers } from "#web/ui/german.ts";
import { focusHeading } from "#web/ui/heading-focus.ts";
import { Spinner } from "#web/ui/icons.tsx";
import { Row, Stack } from "#web/ui/layout.tsx";
import { QueryState } from "#web/ui/query-state.tsx";
import { useReducedMotion } from "#web/ui/reduced-motion.ts";
import { Hint } from "#web/ui/text.tsx";
import { useOwnBeers, useRemoveBeer } from "./api.ts";
import { DrinkButtons } from "./drink-buttons.tsx";
import { formatTime, listPastBeers, type PastBeer } from "./rules.ts";
import { TapFor } from "./tap-for.tsx";
import styles from "./tap-mat.module.css";
import { useTaps, type Taps } from "./taps.ts";

interface TapMatProps {
  readonly label: string;
  /** A notice about unsent taps replaces it. */
  readonly above: ReactNode;
  readonly beside?: ReactNode;
  readonly below?: ReactNode;
  readonly children: ReactNode;
}

/** Its size never changes. */
export function TapMat({ label, above, beside, below, children }: TapMatProps): ReactNode {
  const taps = useTaps();
  const mat = useRef<HTMLDivElement>(null);
  const isCalm = useReducedMotion();
  function drink(kind: BeerKind): void {
    if (!isCalm) mat.current?.animate({ translate: ["0 0", "0 2px", "0 0"] }, 180);
    navigator.vibrate?.(12);
    taps.drink(kind);
  }
  return (
    <section className={styles["card"]} aria-label={label}>
      <Row className={styles["above"]} data-wrap="never" data-justify="center">
        <Waiting {...taps} />
        {taps.waiting === 0 && above}
      </Row>
      <div ref={mat} className={styles["mat"]} data-counter-mat>
        <BeerMat shape="round">{children}</BeerMat>
      </div>
      <DrinkButtons onDrink={drink} />
      <Refused {...taps} />
      <History taps={taps}>{beside}</History>
      {below}
    </section>
  );
}

const needs = { page: " Lass die Seite offen!", app: " Öffne dann die App!" } as const;

function Waiting({ waiting: count, need }: Taps): ReactNode {
  return (
    <p className={styles["waiting"]} aria-live="polite">
      {count > 0 && (
        <>
          <CloudOff size={18} />
          {`${formatBeers(count)} ${count === 1 ? "wartet" : "warten"} auf Empfang.${need === null ? "" : needs[need]}`}
        </>
      )}
    </p>
  );
}

function Refused({ refused, retry, discard }: Taps): ReactNode {
  return (
    <p className={styles["refused"]} aria-live="polite">
      {refused > 0 && (
        <>
          {`${formatBeers(refused)} nicht gebucht${retry ? "" : ": älter als eine Woche"}. `}
          <br />
          {retry && <RefusedAction onClick={retry}>Nochmal versuchen</RefusedAction>}
          <RefusedAction onClick={discard}>Verwerfen</RefusedAction>
        </>
      )}
    </p>
  );
}

/** Moves the focus to the heading, because the button disappears with the refused beers. */
function RefusedAction({ onClick, children }: { onClick: () => void; children: ReactNode }): ReactNode {
  return (
    <button
      type="button"
      className={styles["again"]}
      onClick={({ currentTarget }) => {
        focusHeading(currentTarget);
        onClick();
      }}
    >
      {children}
    </button>
  );
}

/** Names the other person or the tablet of a beer. */
function Origin({ beer: { bookedBy, drinker } }: { beer: PastBeer }): ReactNode {
  if (drinker !== null) return <span className={styles["origin"]}>{`für ${drinker}`}</span>;
  if (bookedBy?.kind === "member") return <span className={styles["origin"]}>{`von ${bookedBy.name}`}</span>;
  return (
    bookedBy && (
      <span className={styles["origin"]}>
        <TabletSmartphone size={16} aria-label="Zapfstelle" role="img" /> {bookedBy.name}
      </span>
    )
  );
}

function History({ taps, children }: { taps: Taps; children?: ReactNode }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const { last } = taps;
  // `true` while the message about the tap offers the same undo.
  const isCovered = useMessage()?.anchor !== undefined;
  function takeLastBack(): void {
    // The undo button disappears; keyboard users stay here.
    opener.current?.focus({ preventScroll: true });
    if (last !== undefined) taps.undo(last);
  }
  return (
    <div className={styles["row"]}>
      <span className={styles["beside"]}>
        {children}
        <TapFor className={styles["link"]} />
      </span>
      <QuietAction ref={opener} className={styles["link"]} onClick={() => setIsOpen(true)}>
        <HistoryIcon size={18} />
        Verlauf
      </QuietAction>
      {last !== undefined && (
        <QuietAction
          key={last}
          className={styles["link"]}
          data-undo=""
          data-covered={isCovered || undefined}
          onClick={takeLastBack}
        >
          <Undo2 size={18} />
          Rückgängig
        </QuietAction>
      )}
      <Dialog
        title="Verlauf"
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        footer={
          <Button kind="primary" onClick={() => setIsOpen(false)}>
            Fertig
          </Button>
        }
      >
        <PastBeers taps={taps} />
      </Dialog>
    </div>
  );
}

function PastBeers({ taps }: { taps: Taps }): ReactNode {
  const query = useOwnBeers();
  const { beers = [], for_others: forOthers = [] } = query.data ?? {};
  const past = listPastBeers(beers, forOthers, taps.entries);
  return (
    <Stack>
      <Hint>Striche der letzten 24 Stunden. Vertippt? 15 Minuten lang lässt sich jeder wieder entfernen.</Hint>
      {past.length > 0 && (
        <ul>
          {past.map((beer) => (
            <BeerItem key={beer.key ?? beer.id} beer={beer} undo={taps.undo} />
          ))}
        </ul>
      )}
      <QueryState
        query={query}
        failedText="Der Verlauf konnte gerade nicht geladen werden."
        skeleton={
          <p className={styles["empty"]} role="status">
            <Spinner size={32} />
            <span className="visually-hidden">Einen Moment …</span>
          </p>
        }
      >
        {() => past.length === 0 && <p className={styles["empty"]}>Noch ganz trocken hier.</p>}
      </QueryState>
    </Stack>
  );
}

const stateLabels = { booked: null, late: "nachgetragen", waiting: "wartet", refused: "nicht gebucht" } as const;

function BeerItem({ beer, undo }: { beer: PastBeer; undo: Taps["undo"] }): ReactNode {
  const { time_zone: timeZone } = useGroup();
  const time = formatTime(beer.at, Date.now(), timeZone);
  const removeById = useRemoveBeer();
  const remove = (): void => {
    if (beer.key !== null && beer.undo !== null) undo(beer.key, beer.undo);
    else if (beer.id !== null) removeById(beer.id);
  };
  return (
    <Row as="li" data-wrap="never" className={styles["beer"]}>
      <time className={styles["time"]} dateTime={new Date(beer.at).toISOString()}>
        {time}
      </time>
      {beer.kind !== null && <span className={styles["state"]}>{beer.kind}</span>}
      <Origin beer={beer} />
      {stateLabels[beer.state] !== null && (
        <span className={styles["state"]} data-state={beer.state}>
          {stateLabels[beer.state]}
        </span>
      )}
      {beer.isRemovable && (
        <span className={styles["action"]}>
          <Button aria-label={`Bier von ${time} Uhr entfernen`} onClick={remove}>
            Entfernen
          </Button>
        </span>
      )}
    </Row>
  );
}
