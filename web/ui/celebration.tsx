import { useEffect, useRef, useState, type ReactNode } from "react";

import { BeerMat } from "./beer-mat.tsx";
import styles from "./celebration.module.css";

/** How long it stays, and how much of that it takes to fade, in milliseconds. */
const visibleDuration = 3000;
const leaveDuration = 300;

interface CelebrationProps {
  /** The round number, as it is written. */
  readonly number: string;
  readonly title: string;
  readonly text: string;
  readonly onEnd: () => void;
}

/** A round number on a mat that fills with beer, over everything and in nobody's way. Its size follows the font around it. */
export function Celebration({ number, title, text, onEnd }: CelebrationProps): ReactNode {
  const overlay = useRef<HTMLDivElement>(null);
  const end = useRef(onEnd);
  const [isLeaving, setLeaving] = useState(false);
  useEffect(() => {
    // The top layer, so that it also lies over an open dialog.
    overlay.current?.showPopover();
    const leave = setTimeout(() => setLeaving(true), visibleDuration - leaveDuration);
    const gone = setTimeout(() => end.current(), visibleDuration);
    return () => {
      clearTimeout(leave);
      clearTimeout(gone);
    };
  }, []);
  return (
    <div
      ref={overlay}
      popover="manual"
      className={styles["overlay"]}
      data-leaving={isLeaving || undefined}
      role="status"
    >
      <div className={styles["mat"]}>
        <BeerMat shape="round">
          <Glass />
          <p className={styles["number"]} data-length={number.length}>
            {number}
          </p>
        </BeerMat>
      </div>
      <div className={styles["words"]}>
        <p className={styles["title"]}>{title}</p>
        <p className={styles["text"]}>{text}</p>
      </div>
    </div>
  );
}

/** A glass seen from above while it is being filled: the beer rises, the foam stays on top. */
function Glass(): ReactNode {
  return (
    <svg className={styles["glass"]} viewBox="0 0 200 200" aria-hidden="true" focusable="false">
      <g className={styles["round"]}>
        <rect className={styles["empty"]} width="200" height="200" />
        <g className={styles["filling"]}>
          <rect className={styles["beer"]} y="62" width="200" height="150" />
          {bubbles.map(([x, y, r]) => (
            <circle key={x} className={styles["bubble"]} cx={x} cy={y} r={r} />
          ))}
          <path className={styles["foam"]} d={foam} />
        </g>
      </g>
      <circle className={styles["rim"]} cx="100" cy="100" r="97" />
    </svg>
  );
}

const bubbles = [
  [34, 170, 3.5],
  [52, 128, 2.5],
  [71, 186, 2.5],
  [103, 178, 4],
  [128, 190, 2.5],
  [149, 132, 3],
  [168, 164, 3.5],
] as const;

/** Heaps of froth side by side, flat where they lie on the beer. */
const foam =
  "M-6 70V52a17 17 0 0 1 30-12 22 22 0 0 1 38-7 25 25 0 0 1 42-5 23 23 0 0 1 37 5 20 20 0 0 1 34 9 17 17 0 0 1 31 10v18" +
  "c-9 7-16 7-24 1-9 8-20 9-30 1-11 10-25 10-36 1-12 8-23 8-34-1-10 9-22 9-32 0-10 7-19 7-28-1-9 5-18 6-28-1z";
