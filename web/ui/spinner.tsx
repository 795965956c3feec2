import type { ReactNode } from "react";

import styles from "./spinner.module.css";

/** A spinning beer mat, hidden from screen readers; a text beside it must say what is loading. */
export function Spinner({ size }: { size: number }): ReactNode {
  return (
    <svg className={styles["spinner"]} viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <circle className={styles["rim"]} cx="16" cy="16" r="13" />
      <circle className={styles["arc"]} cx="16" cy="16" r="13" pathLength="100" />
    </svg>
  );
}
