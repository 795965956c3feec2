import type { CSSProperties, ReactNode } from "react";

import styles from "./mat-number.module.css";
import { RollingNumber } from "./rolling-number.tsx";

/** The large number on a round mat, whose container is as wide as the mat. */
export function MatNumber({
  text,
  ...rest
}: {
  text: string;
  "data-counter"?: "group" | "tonight";
  "data-kept"?: string;
}): ReactNode {
  return (
    <span {...rest} className={styles["number"]} style={{ "--characters": text.length } as CSSProperties}>
      <RollingNumber text={text} />
    </span>
  );
}
