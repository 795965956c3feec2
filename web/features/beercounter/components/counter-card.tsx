import type { UseQueryResult } from "@tanstack/react-query";
import { CloudOff } from "lucide-react";
import { useRef, type ReactNode } from "react";

import type { BeerKind, Counters } from "#contract/beercounter.ts";
import { useGroup, useSession } from "#web/platform/session.ts";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import { formatBeers } from "#web/ui/german.ts";
import { focusHeading } from "#web/ui/heading-focus.ts";
import { Row } from "#web/ui/layout.tsx";
import { MatCounts, MatCountsSkeleton } from "#web/ui/mat-counts.tsx";
import { QueryState } from "#web/ui/query-state.tsx";
import { useReducedMotion } from "#web/ui/reduced-motion.ts";
import { useBeerTap, type BeerTap } from "../taps.ts";
import styles from "./counter-card.module.css";
import { DrinkButtons } from "./drink-buttons.tsx";
import { History } from "./history.tsx";
import { PresentMembers } from "./present-members.tsx";

interface CounterCardProps {
  readonly counters: UseQueryResult<Counters>;
  /** False where something else says already that nothing could be loaded. */
  readonly isFailureShown: boolean;
}

export function CounterCard({ counters, isFailureShown }: CounterCardProps): ReactNode {
  const drinking = useBeerTap();
  const mat = useRef<HTMLDivElement>(null);
  const isCalm = useReducedMotion();
  const { group_short } = useGroup();
  const { user } = useSession();
  function drink(kind: BeerKind): void {
    if (!isCalm) mat.current?.animate({ translate: ["0 0", "0 2px", "0 0"] }, 180);
    navigator.vibrate?.(12);
    drinking.drink(kind);
  }
  return (
    <section className={styles["card"]} aria-label="Zähler">
      <Row className={styles["above"]} data-wrap="never" data-justify="center">
        <Waiting drinking={drinking} />
        {drinking.waiting === 0 && <PresentMembers hasCounters={counters.isFetchedAfterMount} />}
      </Row>
      <div ref={mat} className={styles["mat"]} data-counter-mat>
        <BeerMat shape="round">
          <QueryState
            query={isFailureShown ? counters : { ...counters, isFetchedAfterMount: false }}
            failedText="Der Zähler konnte gerade nicht geladen werden."
            skeleton={<MatCountsSkeleton label={group_short} />}
          >
            {({ KSKCounterVal, userCounterVal }) => (
              <MatCounts label={group_short} total={KSKCounterVal} name={user?.name} own={userCounterVal}>
                Noch kein Strich auf deinem Deckel.
              </MatCounts>
            )}
          </QueryState>
        </BeerMat>
      </div>
      <DrinkButtons onDrink={drink} />
      <Rejected drinking={drinking} />
      <History undo={drinking.undo} />
    </section>
  );
}

const needs = { page: " Lass die Seite offen!", app: " Öffne dann die App!" } as const;

/** Beers that are still under way. */
function Waiting({ drinking: { waiting: count, need } }: { drinking: BeerTap }): ReactNode {
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

/** Beers that the server did not take. */
function Rejected({ drinking: { rejected, retry, discard } }: { drinking: BeerTap }): ReactNode {
  return (
    <p className={styles["rejected"]} aria-live="polite">
      {rejected > 0 && (
        <>
          {`${formatBeers(rejected)} nicht gebucht${retry ? "" : ": älter als eine Woche"}. `}
          <br />
          {retry && <RejectedAction onClick={retry}>Nochmal versuchen</RejectedAction>}
          <RejectedAction onClick={discard}>Verwerfen</RejectedAction>
        </>
      )}
    </p>
  );
}

/** It goes away with the beers that it is about. */
function RejectedAction({ onClick, children }: { onClick: () => void; children: ReactNode }): ReactNode {
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
