import type { ReactNode } from "react";

import { turn } from "./card-frame.tsx";
import styles from "./drawings.module.css";
import reveal from "./reveal.module.css";

/** Draws two beer mugs that clink, with drops of foam. */
export function Mugs(): ReactNode {
  return (
    <svg className={styles["mugs"]} viewBox="-160 -140 320 260" aria-hidden="true">
      <g className={reveal["pull"]} data-side="left">
        <Mug />
      </g>
      <g className={reveal["pull"]} data-side="right">
        <g transform="scale(-1 1)">
          <Mug />
        </g>
      </g>
      {drops.map(([x, y, radius], index) => (
        <circle
          key={x}
          className={`${styles["foam"]} ${reveal["pop"]}`}
          style={turn(index + drops.length, 2 * drops.length)}
          cx={x}
          cy={y}
          r={radius}
        />
      ))}
    </svg>
  );
}

/** Draws the left mug, which leans to the right. */
function Mug(): ReactNode {
  return (
    <g transform="translate(-68 20) rotate(14)" stroke="#3a2010" strokeWidth="4" strokeLinejoin="round">
      <path d="M-46 -30h-14a22 22 0 0 0-22 22v26a22 22 0 0 0 22 22h14" fill="none" stroke="#e9a311" strokeWidth="13" />
      <path d="M-48 -54H48V64a14 14 0 0 1-14 14H-34a14 14 0 0 1-14-14Z" fill="#e9a311" />
      <path d="M-26 -12V46M-9 -12V46M9 -12V46M26 -12V46M-34 42 34 -8" strokeWidth="5" strokeLinecap="round" />
      <path
        d="M-48 -40a17 17 0 0 1-6 -33 22 22 0 0 1 32 -16 24 24 0 0 1 36 -3 21 21 0 0 1 34 14 17 17 0 0 1 2 36c-10 4-16-5-25-5s-13 13-24 13-12-11-21-11-10 7-28 5Z"
        fill="#fff7e3"
      />
    </g>
  );
}

const drops = [
  [-4, -92, 7],
  [18, -112, 4.5],
  [-28, -116, 5],
  [40, -96, 3.5],
  [4, -130, 3.5],
  [-46, -98, 3],
] as const;
