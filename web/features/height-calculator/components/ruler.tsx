import type { ReactNode } from "react";

import { usePlaceholder } from "#web/ui/placeholder.tsx";
import styles from "./ruler.module.css";

/** Highest value on the drawn ruler, in centimeters. */
const tallest = 230;
const base = 232;
const glass = `M40 2H84L80 ${base}H44Z`;

/** Draws a ruler, and a beer glass filled up to the entered height. */
export function Ruler({ centimetres }: { centimetres: number }): ReactNode {
  const shown = Math.min(tallest, Math.max(0, Number.isFinite(centimetres) ? centimetres : 0));
  // The HTML shown before the app starts has no transform, because it must have no style
  // attributes; the style sheet then shows an empty glass.
  const level = usePlaceholder() ? undefined : { transform: `translateY(${base - shown}px)` };
  return (
    <svg className={styles["ruler"]} viewBox="0 0 90 240" aria-hidden="true">
      <rect x="2" y="2" width="30" height="236" rx="4" className={styles["stick"]} />
      {Array.from({ length: 23 }, (_, index) => (
        <path
          key={index}
          className={styles["mark"]}
          d={`M32 ${base - (index + 1) * 10}h${(index + 1) % 5 === 0 ? -16 : -8}`}
        />
      ))}
      {[50, 100, 150, 200].map((mark) => (
        <text key={mark} className={styles["figure"]} x="5" y={base - mark - 3}>
          {mark}
        </text>
      ))}
      <path className={styles["glass"]} d={glass} />
      <clipPath id="glass">
        <path d={glass} />
      </clipPath>
      <g clipPath="url(#glass)">
        <path className={styles["beer"]} d="M40 0H90V240H40Z" style={level} />
      </g>
      <g className={styles["surface"]} data-empty={shown === 0 || undefined} style={level}>
        <path
          d="M42 14C34 12 36 2 43 3 46-4 56-4 59 1 64-5 75-3 77 3 86 2 89 13 81 15 79 22 71 21 70 15 65 19 58 20 55 15 51 20 44 20 42 14Z"
          className={styles["foam"]}
        />
        <path className={styles["line"]} d="M32 0H90" />
      </g>
    </svg>
  );
}
