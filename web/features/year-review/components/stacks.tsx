import type { ReactNode } from "react";

import { turn } from "./card-frame.tsx";
import styles from "./drawings.module.css";
import reveal from "./reveal.module.css";

const maxMats = 38;
const maxCrates = 12;

/** Draws a tower of beer mats. Draws at most `maxMats`; higher towers are cut off. */
export function Tower({ mats }: { mats: number }): ReactNode {
  const count = Math.min(mats, maxMats);
  const lean = (index: number): number => ((Math.imul(index + 3, 2_654_435_761) >>> 16) % 90) / 10 - 4.5;
  const height = count * 6 + 12;
  return (
    <svg
      className={styles["stack"]}
      viewBox={`-80 ${-height} 160 ${height}`}
      preserveAspectRatio="xMidYMax"
      aria-hidden="true"
    >
      {Array.from({ length: count }, (_, index) => (
        <rect
          key={index}
          className={reveal["slide-in"]}
          style={turn(index, count)}
          x={lean(index) - 58}
          y={-index * 6 - 6}
          width="116"
          height="6"
          rx="2.6"
          data-odd={index % 2 || undefined}
        />
      ))}
      <g className={reveal["slide-in"]} style={turn(1, 2)}>
        <ellipse cx={lean(count - 1)} cy={-count * 6} rx="58" ry="9" />
        <ellipse className={styles["ring"]} cx={lean(count - 1)} cy={-count * 6} rx="50" ry="6.6" />
      </g>
    </svg>
  );
}

/**
 * Draws beer crates in rows of three. Draws at least one crate, even if its bottles do not fill it.
 */
export function Crates({ crates }: { crates: number }): ReactNode {
  const count = Math.max(1, Math.min(crates, maxCrates));
  const height = Math.ceil(count / 3) * 50 + 12;
  return (
    <svg
      className={styles["stack"]}
      viewBox={`-80 ${-height} 160 ${height}`}
      preserveAspectRatio="xMidYMax"
      aria-hidden="true"
    >
      {Array.from({ length: count }, (_, index) => {
        const inRow = Math.min(3, count - Math.floor(index / 3) * 3);
        const x = ((index % 3) - (inRow - 1) / 2) * 53;
        return (
          <g key={index} className={reveal["slide-in"]} style={turn(index, count)}>
            <Crate x={x} y={-Math.floor(index / 3) * 50} isOnTop={index + 3 >= count} />
          </g>
        );
      })}
    </svg>
  );
}

function Crate({ x, y, isOnTop }: { x: number; y: number; isOnTop: boolean }): ReactNode {
  return (
    <g className={styles["crate"]} transform={`translate(${x} ${y})`}>
      {isOnTop && <path className={styles["bottles"]} d="M-18 -44v-12M-6 -44v-12M6 -44v-12M18 -44v-12" />}
      <rect x="-25" y="-48" width="50" height="48" rx="4" />
      <rect className={styles["grip"]} x="-11" y="-40" width="22" height="7" rx="3.5" />
      <path className={styles["slats"]} d="M-25 -26h50M-25 -13h50" />
    </g>
  );
}
