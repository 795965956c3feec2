import type { ReactNode } from "react";

import styles from "./list.module.css";

/** A list with dividing lines between its items. */
export function List({ label, children }: { label?: string; children: ReactNode }): ReactNode {
  return (
    <ul className={styles["list"]} aria-label={label}>
      {children}
    </ul>
  );
}
