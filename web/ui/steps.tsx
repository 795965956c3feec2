import type { ReactNode } from "react";

import { Stack } from "./layout.tsx";
import styles from "./steps.module.css";

/** A list of instructions, numbered on small beer mats. */
export function Steps({ children }: { children: readonly ReactNode[] }): ReactNode {
  return (
    <Stack as="ol" gap={3} className={styles["steps"]}>
      {children.map((step, place) => (
        <li key={place}>{step}</li>
      ))}
    </Stack>
  );
}
