import type { ReactNode } from "react";

import { BeerMat } from "./beer-mat.tsx";
import styles from "./mat-message.module.css";

/** A few words on a round beer mat, with actions below. */
export function MatMessage({ children, below }: { children: ReactNode; below?: ReactNode }): ReactNode {
  return (
    <div className={styles["message"]}>
      <div className={styles["mat"]}>
        <BeerMat shape="round">
          <div className={styles["text"]}>{children}</div>
        </BeerMat>
      </div>
      {below}
    </div>
  );
}
