import type { ReactNode } from "react";

import { strokePaths } from "#web/ui/tally.tsx";
import styles from "./progress.module.css";

/** One tally stroke a card, chalked up as one goes along. Decorative: the cards say themselves which they are. */
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
