import type { ReactNode } from "react";

import styles from "./drawings.module.css";
import reveal from "./reveal.module.css";

/** Maximum number of slices; more slices would be too thin to see. */
const maxSlices = 24;

/**
 * Draws a beer mat cut into `slices` equal slices, with the member's slice in green. Above
 * `maxSlices`, draws only the member's slice and an uncut rest.
 */
export function Slices({ slices }: { slices: number }): ReactNode {
  const part = 1 / Math.min(slices, maxSlices);
  const isCut = slices <= maxSlices;
  const rest = isCut ? Array.from({ length: slices - 1 }, (_, index) => (index + 0.5) * part) : [part / 2];
  const width = isCut ? part : 1 - part;
  return (
    <svg className={styles["slices"]} viewBox="-130 -150 260 280" aria-hidden="true">
      {rest.map((from) => (
        <Slice key={from} from={from} to={from + width} />
      ))}
      <g transform={slices > 1 ? "translate(0 -26)" : undefined}>
        <g className={`${styles["mine"]} ${reveal["pull"]}`}>
          <Slice from={-part / 2} to={part / 2} />
        </g>
      </g>
    </svg>
  );
}

/**
 * Draws a slice of a circle. `from` and `to` are fractions of a full turn, clockwise from the top.
 */
function Slice({ from, to }: { from: number; to: number }): ReactNode {
  return (
    <>
      <path className={styles["mat"]} d={`${arc(from, to, 114)}L0 0Z`} />
      <path className={styles["ring"]} d={arc(from, to, 104)} />
      <path className={styles["ring"]} d={arc(from, to, 99)} />
    </>
  );
}

function arc(from: number, to: number, radius: number): string {
  // SVG draws no arc that ends at its start, so the arc of a full circle ends slightly earlier.
  const end = Math.min(to, from + 0.9999);
  return `M${pointAt(from, radius)}A${radius} ${radius} 0 ${end - from > 0.5 ? 1 : 0} 1 ${pointAt(end, radius)}`;
}

function pointAt(turn: number, radius: number): string {
  const angle = (turn - 0.25) * 2 * Math.PI;
  return `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
}
