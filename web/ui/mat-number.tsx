import type { ReactNode } from "react";

import styles from "./mat-number.module.css";
import { RollingNumber } from "./rolling-number.tsx";

/** A large number on a round mat; its container must be as wide as the mat. */
export function MatNumber({ text, ...rest }: { text: string; "data-counter"?: string }): ReactNode {
  return (
    <span {...rest} className={styles["number"]} data-characters={text.length}>
      <RollingNumber text={text} />
    </span>
  );
}
