import { CloudOff } from "lucide-react";
import { useRef, type ReactNode } from "react";

import type { BeerKind } from "#contract/beercounter.ts";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import { formatBeers } from "#web/ui/german.ts";
import { focusHeading } from "#web/ui/heading-focus.ts";
import { Row } from "#web/ui/layout.tsx";
import { useReducedMotion } from "#web/ui/reduced-motion.ts";
import { DrinkButtons } from "./drink-buttons.tsx";
import { History } from "./history.tsx";
import styles from "./tap-mat.module.css";
import { useBeerTap, type BeerTap } from "./taps.ts";

interface TapMatProps {
  readonly label: string;
  /** A line above the mat; a notice about unsent taps replaces it. */
  readonly above: ReactNode;
  /** Content to the left of the history button. */
  readonly beside?: ReactNode;
  /** Content below the history button. */
  readonly below?: ReactNode;
  /** The content on the mat. */
  readonly children: ReactNode;
}

/**
 * A round beer mat with the buttons that book a beer on its lower edge. Below the mat are the
 * buttons that undo a beer. The mat's size never changes.
 */
export function TapMat({ label, above, beside, below, children }: TapMatProps): ReactNode {
  const drinking = useBeerTap();
  const mat = useRef<HTMLDivElement>(null);
  const isCalm = useReducedMotion();
  function drink(kind: BeerKind): void {
    if (!isCalm) mat.current?.animate({ translate: ["0 0", "0 2px", "0 0"] }, 180);
    navigator.vibrate?.(12);
    drinking.drink(kind);
  }
  return (
    <section className={styles["card"]} aria-label={label}>
      <Row className={styles["above"]} data-wrap="never" data-justify="center">
        <Waiting drinking={drinking} />
        {drinking.waiting === 0 && above}
      </Row>
      <div ref={mat} className={styles["mat"]} data-counter-mat>
        <BeerMat shape="round">{children}</BeerMat>
      </div>
      <DrinkButtons onDrink={drink} />
      <Rejected drinking={drinking} />
      <History undo={drinking.undo}>{beside}</History>
      {below}
    </section>
  );
}

const needs = { page: " Lass die Seite offen!", app: " Öffne dann die App!" } as const;

/** Shows the number of beers that wait for a connection to the server. */
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

/** Shows the number of beers that the server refused, with buttons that retry or discard them. */
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

/**
 * A button for the refused beers. It disappears together with them, and therefore moves the focus
 * to the heading first.
 */
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
