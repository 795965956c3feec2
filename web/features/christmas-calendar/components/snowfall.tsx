import type { ReactNode } from "react";

import { flakes } from "../rules.ts";
import styles from "./snowfall.module.css";

/** Draws snowflakes that fall and sway. */
export function Snowfall(): ReactNode {
  return (
    <div className={`covering ${styles["sky"]}`} aria-hidden="true">
      <div className={styles["view"]}>
        {flakes.map(({ left, size, fallOffset, swayOffset }) => (
          <span
            key={left}
            data-flake=""
            className={styles["flake"]}
            style={{ left: `${left}%`, width: `${size}rem`, animationDelay: `${-fallOffset}s, ${-swayOffset}s` }}
          >
            <svg viewBox="-12 -12 24 24">
              {[0, 60, 120].map((turn) => (
                <path
                  key={turn}
                  transform={`rotate(${turn})`}
                  d="M0-11V11M-3.2-9 0-6.2 3.2-9M-3.2 9 0 6.2 3.2 9M-2.4-4.6 0-2.6 2.4-4.6M-2.4 4.6 0 2.6 2.4 4.6"
                />
              ))}
            </svg>
          </span>
        ))}
      </div>
    </div>
  );
}
