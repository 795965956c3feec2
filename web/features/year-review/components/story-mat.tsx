import type { ReactNode } from "react";

import { BeerMat } from "#web/ui/beer-mat.tsx";
import styles from "./card.module.css";
import reveal from "./reveal.module.css";

/** Shows a round beer mat that lands on the card with an animation. */
export function StoryMat({ children }: { children: ReactNode }): ReactNode {
  return (
    <div className={`${styles["mat"]} ${reveal["lay"]}`}>
      <BeerMat shape="round">
        <div className={styles["onMat"]}>{children}</div>
      </BeerMat>
    </div>
  );
}
