import type { UseQueryResult } from "@tanstack/react-query";
import { CloudUpload } from "lucide-react";
import { useState, type KeyboardEvent, type ReactNode } from "react";

import type { Counters } from "#contract/beercounter.ts";
import { useGroup, useSession } from "#web/platform/session.ts";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import { QueryState } from "#web/ui/query-state.tsx";
import { RollingNumber } from "#web/ui/rolling-number.tsx";
import { Tally } from "#web/ui/tally.tsx";
import { formatBeers, formatNumber } from "#web/ui/german.ts";

import { useBeerTap, type BeerTap } from "../taps.ts";

import styles from "./counter-card.module.css";
import { History } from "./history.tsx";
import { Company } from "./company.tsx";

interface CounterCardProps {
  readonly counters: UseQueryResult<Counters>;
  /** False where something else says already that nothing could be loaded. */
  readonly isFailureShown: boolean;
}

export function CounterCard({ counters, isFailureShown }: CounterCardProps): ReactNode {
  const drinking = useBeerTap();
  return (
    <section className={styles["card"]} aria-label="Zähler">
      <div className={styles["above"]}>
        <Waiting count={drinking.waiting} />
        {drinking.waiting === 0 && <Company />}
      </div>
      <div className={styles["mat"]}>
        <BeerMat shape="round">
          <QueryState
            query={isFailureShown ? counters : { ...counters, isError: false }}
            failedText="Der Zähler konnte gerade nicht geladen werden."
            skeleton={<CountsSkeleton />}
          >
            {(data) => <Counts counters={data} />}
          </QueryState>
        </BeerMat>
      </div>
      <DrinkButton onDrink={drinking.drink} />
      <Rejected drinking={drinking} />
      <History undo={drinking.undo} />
    </section>
  );
}

function Counts({ counters: { KSKCounterVal, userCounterVal } }: { counters: Counters }): ReactNode {
  const { group_short } = useGroup();
  const { user } = useSession();
  const total = formatNumber(KSKCounterVal);
  return (
    <div className={styles["counts"]}>
      <p className={styles["group"]}>
        <span className={styles["short"]}>{group_short}</span>{" "}
        <span className={styles["total"]} data-counter="group" data-length={Math.min(total.length, 9)}>
          <RollingNumber text={total} />
        </span>
      </p>
      <p className={styles["own"]}>
        <span className={styles["name"]} title={user?.name}>
          {user?.name}
        </span>{" "}
        <span className={styles["count"]} data-counter="own">
          <RollingNumber text={formatNumber(userCounterVal)} />
        </span>
      </p>
      <p className={styles["strokes"]}>
        {userCounterVal > 0 ? (
          <Tally count={userCounterVal} />
        ) : (
          <span className={styles["none"]}>Noch kein Strich auf deinem Deckel.</span>
        )}
      </p>
    </div>
  );
}

/** The counts before they are known, as tall as they will be. */
function CountsSkeleton(): ReactNode {
  return (
    <div className={styles["counts"]} aria-hidden="true" data-blank="">
      <p className={styles["group"]}>
        <span className={styles["short"]} />
        <span className={styles["total"]} />
      </p>
      <p className={styles["own"]}>
        <span className={styles["name"]} />
      </p>
      <p className={styles["strokes"]} />
    </div>
  );
}

function DrinkButton({ onDrink }: { onDrink: () => void }): ReactNode {
  const [taps, setTaps] = useState(0);
  function drink(): void {
    setTaps(taps + 1);
    onDrink();
  }
  return (
    <div className={styles["action"]}>
      <button id="bier-trinken" type="button" className={styles["drink"]} onClick={drink} onKeyDown={ignoreKeyRepeat}>
        <Glass />
        Bier trinken
      </button>
      {taps > 0 && <span key={taps} className={styles["one-more"]} aria-hidden="true" />}
    </div>
  );
}

/** A key that is held down repeats itself; that would be a beer each time. */
function ignoreKeyRepeat(event: KeyboardEvent): void {
  if (event.repeat) event.preventDefault();
}

function Glass(): ReactNode {
  return (
    <svg className={styles["glass"]} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d="M16 9.5h2.2a2.3 2.3 0 0 1 2.3 2.3v3.4a2.3 2.3 0 0 1-2.3 2.3H16" />
      <path d="M5 9h11v10a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2z" />
      <path
        className={styles["foam"]}
        d="M5 9.8a2.3 2.3 0 0 1-.4-4.5A3 3 0 0 1 9 3.2a2.9 2.9 0 0 1 4.3.6 2.7 2.7 0 0 1 3.3 2.1A2.2 2.2 0 0 1 16.2 9.8z"
      />
      <path d="M8.7 13v4.5M12.3 13v4.5" />
    </svg>
  );
}

/** Beers that are still under way. */
function Waiting({ count }: { count: number }): ReactNode {
  return (
    <p className={styles["waiting"]} aria-live="polite">
      {count > 0 && (
        <>
          <CloudUpload size={18} aria-hidden="true" />
          {`${formatBeers(count)} ${count === 1 ? "wartet" : "warten"} auf Empfang.`}
        </>
      )}
    </p>
  );
}

/** Beers that the server did not take. */
function Rejected({ drinking: { rejected, retry, discard } }: { drinking: BeerTap }): ReactNode {
  return (
    <p className={styles["rejected"]} aria-live="polite">
      {rejected > 0 && (
        <>
          {`${formatBeers(rejected)} nicht gebucht. `}
          <button type="button" className={styles["again"]} onClick={retry}>
            Nochmal versuchen
          </button>
          <button type="button" className={styles["again"]} onClick={discard}>
            Verwerfen
          </button>
        </>
      )}
    </p>
  );
}
