import type { ReactNode } from "react";

import { BeerMat } from "./beer-mat.tsx";
import styles from "./form-card.module.css";
import { Stack } from "./layout.tsx";
import { Logo } from "./logo.tsx";

/** A form on a card, with the logo on its upper edge. */
export function FormCard({
  title,
  children,
  below,
}: {
  title: string;
  children: ReactNode;
  below: ReactNode;
}): ReactNode {
  return (
    <div className={styles["card"]}>
      <div className={styles["mark"]}>
        <Logo size={88} />
      </div>
      <BeerMat shape="square">
        <Stack className={styles["content"]}>
          <h1 className={styles["title"]}>{title}</h1>
          {children}
        </Stack>
      </BeerMat>
      <div className={`text-links ${styles["below"]}`}>{below}</div>
    </div>
  );
}
