import { useState, type KeyboardEvent, type MouseEvent, type ReactNode } from "react";

import type { BeerKind } from "#contract/beercounter.ts";
import styles from "./drink-buttons.module.css";

/** Messages with a saying are anchored to it. */
export const beerButtonsId = "beer-buttons";

interface Tap {
  readonly kind: BeerKind;
  /** Tapped point of the yellow button in px; `null` for a key press or the small button. */
  readonly point: { readonly left: number; readonly top: number } | null;
  readonly count: number;
}

interface DrinkButtonsProps {
  readonly onDrink: (kind: BeerKind) => void;
  /** Guests' beers have no kind. */
  readonly isOfGuest?: boolean;
}

export function DrinkButtons({ onDrink, isOfGuest = false }: DrinkButtonsProps): ReactNode {
  const [last, setLast] = useState<Tap | null>(null);
  function drink(kind: BeerKind, point: Tap["point"]): void {
    setLast({ kind, point, count: (last?.count ?? 0) + 1 });
    onDrink(kind);
  }
  return (
    <div id={beerButtonsId} className={styles["buttons"]}>
      <button
        id="drink-beer"
        type="button"
        className={styles["drink"]}
        onClick={(event) => drink(null, findPoint(event))}
        onKeyDown={ignoreKeyRepeat}
      >
        {last?.point && <span key={last.count} className={styles["ring"]} style={{ ...last.point }} />}
        <Glass />
        Bier trinken
      </button>
      {!isOfGuest && (
        <button
          type="button"
          className={styles["small"]}
          aria-label="0,0 trinken"
          onClick={() => drink("0,0", null)}
          onKeyDown={ignoreKeyRepeat}
        >
          0,0
        </button>
      )}
      {last && (
        <span key={last.count} className={styles["increment"]} data-kind={last.kind ?? "+1"} aria-hidden="true" />
      )}
    </div>
  );
}

function findPoint({ detail, clientX, clientY, currentTarget }: MouseEvent<HTMLButtonElement>): Tap["point"] {
  const { left, top } = currentTarget.getBoundingClientRect();
  return detail === 0 ? null : { left: clientX - left, top: clientY - top };
}

/** Stops a held key from booking many beers. */
function ignoreKeyRepeat(event: KeyboardEvent): void {
  if (event.repeat) event.preventDefault();
}

function Glass(): ReactNode {
  return (
    <svg className={styles["glass"]} viewBox="0 0 24 24" aria-hidden="true">
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
