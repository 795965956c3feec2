import type { ReactNode } from "react";

import styles from "./ruler.module.css";

/** The measuring stick at the door frame reaches so high, in centimetres. */
const tallest = 230;
const base = 232;

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
      <g className={styles["glass"]} style={{ transform: `translateY(${base - shown}px)` }}>
        <path className={styles["line"]} d="M30 0H88" />
      </g>
      <g
        className={styles["glass"]}
        style={{ transform: `translateY(${base}px) scaleY(${Math.max(0.02, shown / 100)})` }}
      >
        <path d="M42-86H82L78 0H46Z" className={styles["beer"]} />
        <path d="M40-100H84V-84H40Z" className={styles["foam"]} />
      </g>
    </svg>
  );
}
