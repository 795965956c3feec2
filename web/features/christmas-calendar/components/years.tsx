import type { ReactNode } from "react";

import { Row } from "#web/ui/layout.tsx";
import pill from "./pill.module.css";
import styles from "./years.module.css";

export interface YearsProps {
  /** Years with doors, and this one even where it has none yet. */
  years: readonly number[];
  shown: number;
  onChoose: (year: number) => void;
}

/** The way to the doors of past years. */
export function Years({ years, shown, onChoose }: YearsProps): ReactNode {
  if (years.length < 2) return null;
  return (
    <Row as="nav" gap={2} aria-label="Archiv" data-justify="center">
      {years.map((year) => (
        <button
          key={year}
          type="button"
          className={`${pill["pill"]} ${styles["year"]}`}
          aria-current={year === shown || undefined}
          onClick={() => onChoose(year)}
        >
          {year}
        </button>
      ))}
    </Row>
  );
}
