import type { ReactNode } from "react";

import { strokePaths } from "#web/ui/tally.tsx";
import styles from "./progress.module.css";

/**
 * Draws a tally stroke for each card that was shown. Decorative: the label of each card contains
 * its position.
 */
export function Progress({ at, of }: { at: number; of: number }): ReactNode {
  const width = Math.ceil(of / 5) * 44;
  return (
    <svg className={styles["progress"]} viewBox={`0 0 ${width} 40`} aria-hidden="true">
      {strokePaths(of, 0).map((path, index) => (
        <path key={path} d={path} data-done={index <= at || undefined} />
      ))}
    </svg>
  );
}
