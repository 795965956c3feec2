import type { ReactNode } from "react";

import { BeerMat } from "#web/ui/beer-mat.tsx";

import styles from "./message-mat.module.css";

/** A page with little to say, said on a round beer mat. */
export function MessageMat({
  picture,
  title,
  children,
  below,
}: {
  picture?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  below?: ReactNode;
}): ReactNode {
  return (
    <div className={styles["sign"]}>
      <div className={styles["mat"]}>
        <BeerMat shape="round">
          <div className={styles["words"]}>
            {picture}
            <h1 className={styles["title"]}>{title}</h1>
            {children}
          </div>
        </BeerMat>
      </div>
      {below}
    </div>
  );
}
