import { useRef, useState, type KeyboardEvent, type MouseEvent, type PointerEvent, type ReactNode } from "react";

import type { BeerKind } from "#contract/beercounter.ts";
import styles from "./drink-buttons.module.css";
import { beerButtonsId } from "./taps.ts";

/** Milliseconds after which a press counts as a long press. */
const longPress = 700;

/**
 * The yellow button that books a beer, and a small button for a non-alcoholic beer. A long press on
 * the yellow button also books a non-alcoholic beer.
 */
export function DrinkButtons({ onDrink }: { onDrink: (kind: BeerKind) => void }): ReactNode {
  const [last, setLast] = useState<Tap | null>(null);
  const press = useRef<{ timer?: ReturnType<typeof setTimeout>; wasLong: boolean }>({ wasLong: false });

  function drink(kind: BeerKind, point: Point | null): void {
    setLast({ kind, point, count: (last?.count ?? 0) + 1 });
    onDrink(kind);
  }
  function startPress({ button }: PointerEvent): void {
    if (button !== 0) return;
    endPress();
    press.current.wasLong = false;
    press.current.timer = setTimeout(() => {
      press.current.wasLong = true;
      drink("0,0", null);
    }, longPress);
  }
  function endPress(): void {
    clearTimeout(press.current.timer);
  }
  function click(event: MouseEvent<HTMLButtonElement>): void {
    endPress();
    if (!press.current.wasLong) drink(null, findPoint(event));
    press.current.wasLong = false;
  }

  return (
    <div id={beerButtonsId} className={styles["action"]}>
      <button
        id="bier-trinken"
        type="button"
        data-early=""
        className={styles["drink"]}
        onClick={click}
        onPointerDown={startPress}
        onPointerLeave={endPress}
        onPointerCancel={endPress}
        onContextMenu={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          // `wasLong` may still be set by a long press that ended outside the button, without a
          // click.
          press.current.wasLong = false;
          ignoreKeyRepeat(event);
        }}
      >
        {last?.point && <span key={last.count} className={styles["ring"]} style={{ ...last.point }} />}
        <Glass />
        Bier trinken
      </button>
      <button
        type="button"
        data-early="0,0"
        className={styles["small"]}
        aria-label="0,0 trinken"
        onClick={() => drink("0,0", null)}
        onKeyDown={ignoreKeyRepeat}
      >
        0,0
      </button>
      {last && (
        <span key={last.count} className={styles["increment"]} data-kind={last.kind ?? "+1"} aria-hidden="true" />
      )}
    </div>
  );
}

/** A position within the yellow button, in px. */
interface Point {
  readonly left: number;
  readonly top: number;
}

interface Tap {
  readonly kind: BeerKind;
  /** The tapped point; `null` for a key press, a long press or the small button. */
  readonly point: Point | null;
  readonly count: number;
}

function findPoint({ detail, clientX, clientY, currentTarget }: MouseEvent<HTMLButtonElement>): Point | null {
  const { left, top } = currentTarget.getBoundingClientRect();
  return detail === 0 ? null : { left: clientX - left, top: clientY - top };
}

/** Ignores the repeated key events of a held key, each of which would book a beer. */
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
