import type { ReactNode } from "react";

import styles from "./ruler.module.css";

/** The measuring stick at the door frame reaches so high, in centimetres. */
const tallest = 230;
const base = 232;
/** How far the foam stands above the beer. */
const foam = 12;

/** A measuring stick with a glass of beer that grows with what was typed. */
export function Ruler({ centimetres }: { centimetres: number }): ReactNode {
  const shown = Math.min(tallest, Math.max(0, Number.isFinite(centimetres) ? centimetres : 0));
  return (
    <svg className={styles["ruler"]} viewBox="0 0 90 240" aria-hidden="true" focusable="false">
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
      <g
        className={styles["moving"]}
        style={{ transform: `translateY(${base}px) scaleY(${Math.max(0, shown - foam) / 100})` }}
      >
        <path d="M42-100H82L78 0H46Z" className={styles["beer"]} />
      </g>
      <g className={styles["moving"]} style={{ transform: `translateY(${base - shown + foam}px)` }}>
        <path
          d="M42 2C34 0 36-10 43-9 46-16 56-16 59-11 64-17 75-15 77-9 86-10 89 1 81 3 79 10 71 9 70 3 65 7 58 8 55 3 51 8 44 8 42 2Z"
          className={styles["foam"]}
        />
        <path className={styles["line"]} d="M32-12H90" />
      </g>
    </svg>
  );
}
