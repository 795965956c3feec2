import type { ReactNode } from "react";

import { months } from "../rules.ts";
import styles from "./drawings.module.css";

/** A year on the slate: a row for each month, a dot for each day, a stroke where somebody was there. */
export function DaySlate({ year, days }: { year: number; days: readonly string[] }): ReactNode {
  const place = (month: number, day: number): [x: number, y: number] => [26 + day * 10, 10 + month * 17];
  const strokes = days.map((day) => {
    const number = Number(day.slice(8));
    const [x, y] = place(Number(day.slice(5, 7)) - 1, number);
    const slant = ((number * 7) % 5) - 1;
    return `M${x + slant * 0.6 + 0.5} ${y - 6}L${x - slant * 0.6 - 0.5} ${y + 6}`;
  });
  const dots = months.flatMap((_, month) =>
    Array.from({ length: new Date(Date.UTC(year, month + 1, 0)).getUTCDate() }, (_day, index) => {
      const [x, y] = place(month, index + 1);
      return `M${x} ${y}h0`;
    }),
  );
  return (
    <svg className={styles["days"]} viewBox="0 0 346 208" aria-hidden="true" focusable="false">
      {months.map((month, index) => (
        <text key={month} x="6" y={14 + index * 17}>
          {month.slice(0, 1)}
        </text>
      ))}
      <path className={styles["dots"]} d={dots.join("")} />
      <path className={styles["visits"]} d={strokes.join("")} />
    </svg>
  );
}
