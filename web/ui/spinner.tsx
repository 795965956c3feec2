import type { ReactNode } from "react";

import styles from "./spinner.module.css";

/** A beer mat that is turned on its edge while one waits; decorative, what is awaited says so in words. */
export function Spinner({ size }: { size: number }): ReactNode {
  return (
    <svg
      className={styles["spinner"]}
      viewBox="0 0 32 32"
      width={size}
      height={size}
      aria-hidden="true"
      focusable="false"
    >
      <circle className={styles["rim"]} cx="16" cy="16" r="13" />
      <circle className={styles["arc"]} cx="16" cy="16" r="13" pathLength="100" />
    </svg>
  );
}
