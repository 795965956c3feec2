import type { ReactNode } from "react";

import { BeerMat } from "#web/ui/beer-mat.tsx";

import styles from "./empty-calendar.module.css";

/** What hangs there while a year has no pictures. */
export function EmptyCalendar(): ReactNode {
  return (
    <div className={styles["mat"]}>
      <BeerMat shape="round">
        <p className={styles["words"]}>Hier gibts dann total coole Sachen...oder so.</p>
      </BeerMat>
    </div>
  );
}
