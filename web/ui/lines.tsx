import type { ReactNode } from "react";

import styles from "./lines.module.css";

/** List items below each other with a line between them. */
export function Lines({ label, children }: { label?: string; children: ReactNode }): ReactNode {
  return (
    <ul className={styles["lines"]} aria-label={label}>
      {children}
    </ul>
  );
}
