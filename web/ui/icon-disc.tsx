import type { ReactNode } from "react";

import styles from "./icon-disc.module.css";

/** A decorative icon on a round ground. */
export function IconDisc({ tone = "plain", children }: { tone?: "plain" | "beer"; children: ReactNode }): ReactNode {
  return (
    <span className={`touch-target ${styles["disc"]}`} data-tone={tone} aria-hidden="true">
      {children}
    </span>
  );
}
