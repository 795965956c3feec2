import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from "react";

import { BeerMat, MatNumber } from "#web/ui/beer-mat.tsx";
import { formatNumber } from "#web/ui/german.ts";
import { useReducedMotion } from "#web/ui/reduced-motion.ts";
import styles from "./celebration.module.css";

const visibleMs = 3000;
/** The fade-out. */
const leaveMs = 300;
/** Time until the rising beer reaches the number, which then changes. */
const passingMs = 800;

interface CelebrationProps {
  readonly count: number;
  readonly title: string;
  readonly text: string;
  /** Picture of the member who drank the beer, if the name may be shown. */
  readonly picture: ReactNode;
  readonly onEnd: () => void;
}

/** Ignores clicks; sized by the surrounding font size. */
export function Celebration({ count, title, text, picture, onEnd }: CelebrationProps): ReactNode {
  const overlay = useRef<HTMLDivElement>(null);
  const mat = useRef<HTMLDivElement>(null);
  const end = useRef(onEnd);
  const isCalm = useReducedMotion();
  const [isPassed, setPassed] = useState(isCalm);
  const [isLeaving, setLeaving] = useState(false);
  useLayoutEffect(() => {
    // The top layer also covers open dialogs.
    overlay.current?.showPopover();
    const counter = document.querySelector<HTMLElement>("[data-counter-mat]");
    if (!isCalm && mat.current) growFrom(counter, mat.current);
  }, [isCalm]);
  useLayoutEffect(() => {
    const counter = document.querySelector<HTMLElement>("[data-counter-mat]");
    if (!counter || isLeaving) return;
    counter.style.visibility = "hidden";
    return () => void (counter.style.visibility = "");
  }, [isLeaving]);
  useEffect(() => {
    navigator.vibrate?.(40);
    const timers = [
      setTimeout(() => setPassed(true), passingMs),
      setTimeout(() => setLeaving(true), visibleMs - leaveMs),
      setTimeout(() => end.current(), visibleMs),
    ];
    return () => timers.forEach((timer) => clearTimeout(timer));
  }, []);
  return (
    <div
      ref={overlay}
      popover="manual"
      className={styles["overlay"]}
      data-leaving={isLeaving || undefined}
      role="status"
    >
      <div ref={mat} className={styles["mat"]}>
        <BeerMat shape="round">
          <Glass />
          <p className={styles["number"]}>
            <MatNumber text={formatNumber(isPassed ? count : count - 1)} />
          </p>
        </BeerMat>
      </div>
      <div className={styles["caption"]}>
        {picture}
        <div>
          <p className={styles["title"]}>{title}</p>
          <p className={styles["text"]}>{text}</p>
        </div>
      </div>
    </div>
  );
}

/** Grows the mat only slightly without a counter on the page. */
function growFrom(counter: HTMLElement | null, mat: HTMLElement): void {
  const to = mat.getBoundingClientRect();
  const from = counter?.getBoundingClientRect() ?? { left: to.left, top: to.top, width: 0.86 * to.width };
  const scale = from.width / to.width;
  mat.animate(
    {
      transformOrigin: ["0 0", "0 0"],
      transform: [`translate(${from.left - to.left}px, ${from.top - to.top}px) scale(${scale})`, "none"],
    },
    { duration: 600, easing: "cubic-bezier(0.2, 0.7, 0.2, 1)" },
  );
}

function Glass(): ReactNode {
  return (
    <svg className={styles["glass"]} viewBox="0 0 200 200" aria-hidden="true">
      <g className={styles["round"]}>
        <g className={styles["filling"]}>
          <rect className={styles["beer"]} y="34" width="200" height="170" />
          {bubbles.map(([x, y, r]) => (
            <circle key={x} className={styles["bubble"]} cx={x} cy={y} r={r} />
          ))}
          <path className={styles["foam"]} d={foam} />
        </g>
      </g>
      <g className={styles["spill"]}>
        <path d={spill} />
        <path d={spill} data-inside="" />
      </g>
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

const foam =
  "M-6 70V52a17 17 0 0 1 30-12 22 22 0 0 1 38-7 25 25 0 0 1 42-5 23 23 0 0 1 37 5 20 20 0 0 1 34 9 17 17 0 0 1 31 10v18" +
  "c-9 7-16 7-24 1-9 8-20 9-30 1-11 10-25 10-36 1-12 8-23 8-34-1-10 9-22 9-32 0-10 7-19 7-28-1-9 5-18 6-28-1z";

const spill =
  "M34 40a15 15 0 0 1 8-27 20 20 0 0 1 31-13 24 24 0 0 1 44-3 20 20 0 0 1 35 13 15 15 0 0 1 18 20v34a7 7 0 0 1-14 0v-24" +
  "c-30 8-74 8-106 0v30a7 7 0 0 1-14 0z";
