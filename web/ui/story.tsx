import { ChevronLeft, ChevronRight, X } from "lucide-react";
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";

import { strokePaths } from "./beer-mat.tsx";
import { Row } from "./layout.tsx";
import styles from "./story.module.css";

export interface StoryCard {
  readonly key: string;
  readonly ground: "bar" | "slate" | "table";
  /** Above the title. */
  readonly chapter?: string;
  readonly render: (story: StoryControls) => ReactNode;
}

export interface StoryControls {
  /** Takes the index of a card. */
  readonly go: (index: number) => void;
  readonly close: () => void;
}

interface StoryProps {
  readonly label: string;
  readonly cards: readonly StoryCard[];
  readonly onClose: () => void;
}

/** Fills the screen. Turns with buttons, taps, swipes and arrow keys. */
export function Story({ label, cards, onClose }: StoryProps): ReactNode {
  const [index, setIndex] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  const start = useRef<{ startX: number; startY: number } | null>(null);
  // The cards may become fewer, e.g. if a photo is taken down.
  const at = Math.min(index, cards.length - 1);
  const { key, ground, chapter = "", render } = cards[at]!;
  const turn = (step: number): void => setIndex(Math.min(cards.length - 1, Math.max(0, at + step)));
  const close = (): void => dialog.current?.close();

  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => dialog.current?.querySelector("h2")?.focus(), [at]);

  function press(event: PointerEvent): void {
    if (!event.isPrimary || (event.target as Element).closest("button, a, input, label") !== null) return;
    // Keeps the focus on the heading.
    event.preventDefault();
    start.current = { startX: event.clientX, startY: event.clientY };
  }
  function release({ clientX, clientY }: PointerEvent): void {
    if (start.current === null) return;
    const move = { ...start.current, endX: clientX, endY: clientY, width: innerWidth };
    const step = gestureStep(move);
    if (step !== 1 || !isTap(move) || !skipReveal(dialog.current!)) turn(step);
    start.current = null;
  }
  function type({ key: pressed, target, altKey, ctrlKey, metaKey }: KeyboardEvent): void {
    // Alt and an arrow key navigate the history.
    if (altKey || ctrlKey || metaKey || (target as Element).closest("input") !== null) return;
    if (pressed === "ArrowRight") turn(1);
    if (pressed === "ArrowLeft") turn(-1);
  }

  return (
    <dialog
      ref={dialog}
      className={styles["story"]}
      data-ground={ground}
      aria-label={label}
      onClose={onClose}
      onPointerDown={press}
      onPointerUp={release}
      onPointerCancel={() => (start.current = null)}
      onKeyDown={type}
    >
      <Row gap={0} className={styles["top"]} data-wrap="never" data-justify="between">
        <Progress at={at} of={cards.length} />
        <button type="button" className={styles["button"]} aria-label="Schließen" onClick={close}>
          <X size={26} />
        </button>
      </Row>
      <section key={key} className={styles["card"]} aria-label={`Karte ${at + 1} von ${cards.length}`}>
        <p className={styles["section"]}>{chapter}</p>
        <CardContent render={render} go={setIndex} close={close} />
      </section>
      <Row gap={0} className={styles["bottom"]} data-wrap="never" data-justify="between">
        <button type="button" className={styles["button"]} disabled={at === 0} onClick={() => turn(-1)}>
          <ChevronLeft size={26} />
          Zurück
        </button>
        <button type="button" className={styles["button"]} disabled={at === cards.length - 1} onClick={() => turn(1)}>
          Weiter
          <ChevronRight size={26} />
        </button>
      </Row>
    </dialog>
  );
}

function CardContent({ render, ...story }: Pick<StoryCard, "render"> & StoryControls): ReactNode {
  return render(story);
}

function Progress({ at, of }: { at: number; of: number }): ReactNode {
  return (
    <svg className={styles["progress"]} viewBox={`0 0 ${Math.ceil(of / 5) * 44} 40`} aria-hidden="true">
      {strokePaths(of, 0, of).map((path, index) => (
        <path key={path} d={path} data-done={index <= at || undefined} />
      ))}
    </svg>
  );
}

/** Returns `false` if no animation was running. */
function skipReveal(dialog: HTMLDialogElement): boolean {
  const running = dialog.getAnimations({ subtree: true }).filter((animation) => animation instanceof CSSAnimation);
  for (const animation of running) animation.finish();
  return running.length > 0;
}

/** Start and end of a touch and the screen's width, in px. */
interface Move {
  readonly startX: number;
  readonly startY: number;
  readonly endX: number;
  readonly endY: number;
  readonly width: number;
}

/** Fingers tremble by up to 12 px. */
function isTap({ startX, startY, endX, endY }: Move): boolean {
  return Math.hypot(endX - startX, endY - startY) < 12;
}

/** Returns -1 for back, 1 for forward. */
export function gestureStep(move: Move): -1 | 0 | 1 {
  const across = move.endX - move.startX;
  const down = move.endY - move.startY;
  if (isTap(move)) return move.endX < move.width / 2 ? -1 : 1;
  if (Math.abs(across) < 40 || Math.abs(across) < Math.abs(down)) return 0;
  return across > 0 ? -1 : 1;
}
