import type { ReactNode } from "react";

import { weekdays } from "#web/ui/german.ts";
import { months } from "../rules.ts";
import styles from "./drawings.module.css";
import reveal from "./reveal.module.css";

/**
 * Draws a table from above with twelve beer mats for the months and seven coasters for the
 * weekdays. Highlights the given month and weekday.
 */
export function RoundTable({ month, weekday }: { month: number; weekday: number }): ReactNode {
  return (
    <svg className={styles["table"]} viewBox="-160 -160 320 386" aria-hidden="true">
      <circle className={styles["board"]} r="154" />
      <path className={styles["joints"]} d="M-92 -123V123M-31 -151V151M31 -151V151M92 -123V123" />
      <circle className={styles["rim"]} r="148" />
      {months.map((name, index) => {
        const angle = ((index - 3) / 12) * 2 * Math.PI;
        return (
          <Mat key={name} x={114 * Math.cos(angle)} y={114 * Math.sin(angle)} isTaken={index + 1 === month}>
            {name.slice(0, 3)}
          </Mat>
        );
      })}
      <Glass />
      {weekdays.map((name, index) => (
        <Mat key={name} x={(index - 3) * 46} y={198} isTaken={index === weekday}>
          {name.slice(0, 2)}
        </Mat>
      ))}
    </svg>
  );
}

function Mat({ x, y, isTaken, children }: { x: number; y: number; isTaken: boolean; children: string }): ReactNode {
  return (
    <g transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`} data-taken={isTaken || undefined}>
      <g className={isTaken ? reveal["pop"] : undefined}>
        <circle className={styles["mat"]} r={isTaken ? 25 : 19.5} />
        <circle className={styles["ring"]} r={isTaken ? 21.5 : 16.8} />
        <text y="5.5">{children}</text>
      </g>
    </g>
  );
}

/** Draws a full beer glass from above: its foam and its handle. */
function Glass(): ReactNode {
  return (
    <g className={styles["glass"]}>
      <path d="M38 -14h14a10 10 0 0 1 10 10v8a10 10 0 0 1 -10 10h-14" />
      <circle r="40" />
      <circle className={styles["foam"]} r="33" />
      <path className={styles["bubbles"]} d="M-12 -10h0M9 -15h0M16 4h0M-4 8h0M-17 7h0M4 19h0" />
    </g>
  );
}
