import type { ReactNode } from "react";

import { months } from "../rules.ts";
import { turn } from "./card-frame.tsx";
import styles from "./drawings.module.css";
import reveal from "./reveal.module.css";

/**
 * Draws a year as a grid: a row for each month, a dot for each day, and a stroke for each day with
 * a beer.
 */
export function DaySlate({ year, days }: { year: number; days: readonly string[] }): ReactNode {
  return (
    <svg className={styles["days"]} viewBox="0 0 346 208" aria-hidden="true">
      {months.map((name, month) => {
        const y = 10 + month * 17;
        const visits = days.filter((day) => Number(day.slice(5, 7)) === month + 1).map((day) => Number(day.slice(8)));
        const dots = Array.from({ length: new Date(Date.UTC(year, month + 1, 0)).getUTCDate() }, (_, day) => day + 1);
        return (
          <g key={name} className={reveal["fade-in"]} style={turn(month, months.length)}>
            <text x="6" y={y + 4}>
              {name.slice(0, 1)}
            </text>
            <path className={styles["dots"]} d={dots.map((day) => `M${26 + day * 10} ${y}h0`).join("")} />
            <path className={styles["visits"]} d={visits.map((day) => visitPath(day, y)).join("")} />
          </g>
        );
      })}
    </svg>
  );
}

/** Returns the SVG path of a stroke. Strokes differ slightly by day, as if drawn by hand. */
function visitPath(day: number, y: number): string {
  const x = 26 + day * 10;
  const slant = (((day * 7) % 5) - 1) * 0.6 + 0.5;
  return `M${x + slant} ${y - 6}L${x - slant} ${y + 6}`;
}
