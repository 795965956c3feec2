import { History as HistoryIcon, Undo2 } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";

import { useAction } from "#web/forms/use-action.ts";
import { useGroup, useSession } from "#web/session/session.ts";
import { useFlash } from "#web/shell/flash.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { Row, Stack } from "#web/ui/layout.tsx";
import { QueryState } from "#web/ui/query-state.tsx";
import { QuietAction } from "#web/ui/quiet-action.tsx";
import { Spinner } from "#web/ui/spinner.tsx";
import { removeBeerById } from "./actions.ts";
import styles from "./history.module.css";
import { useOwnBeers } from "./queries.ts";
import { listPastBeers, formatTime, type PastBeer } from "./rules.ts";
import { usePendingTaps, undoBeer, type BeerTap } from "./taps.ts";

/**
 * Shows an undo button for 10 seconds after a tap, and a button that opens the beers of the last 24
 * hours.
 */
export function History({ undo, children }: { undo: BeerTap["undo"]; children?: ReactNode }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  // `true` while the flash message about the tap covers this undo button and offers the same undo.
  const isCovered = useFlash()?.anchor !== undefined;
  function takeLastBack(): void {
    // The undo button is removed after the click. Focusing the history button keeps keyboard users
    // at this position.
    opener.current?.focus({ preventScroll: true });
    undo?.run();
  }
  return (
    <div className={styles["row"]}>
      <span className={styles["beside"]}>{children}</span>
      <QuietAction ref={opener} className={styles["link"]} onClick={() => setIsOpen(true)}>
        <HistoryIcon size={18} />
        Verlauf
      </QuietAction>
      {undo && (
        <QuietAction
          key={undo.key}
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
        <PastBeers />
      </Dialog>
    </div>
  );
}

function PastBeers(): ReactNode {
  const query = useOwnBeers();
  const taps = usePendingTaps();
  const past = listPastBeers(query.data ?? [], taps);
  return (
    <Stack>
      <Hint>Deine Biere der letzten 24 Stunden. Vertippt? 15 Minuten lang lässt sich jedes wieder entfernen.</Hint>
      {past.length > 0 && (
        <ul>
          {past.map((beer) => (
            <BeerItem key={beer.key ?? beer.id} beer={beer} />
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

function BeerItem({ beer }: { beer: PastBeer }): ReactNode {
  const { user } = useSession();
  const { time_zone: timeZone } = useGroup();
  const time = formatTime(beer.at, Date.now(), timeZone);
  const { run: removeById } = useAction(removeBeerById);
  const remove = (): void => {
    if (beer.key !== null && user) void undoBeer(beer.key, user.id);
    else if (beer.id !== null) void removeById(beer.id);
  };
  return (
    <Row as="li" data-wrap="never" className={styles["beer"]}>
      <time className={styles["time"]} dateTime={new Date(beer.at).toISOString()}>
        {time}
      </time>
      {beer.kind !== null && <span className={styles["state"]}>{beer.kind}</span>}
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
