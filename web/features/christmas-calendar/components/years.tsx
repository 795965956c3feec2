import type { ReactNode } from "react";

import { Row } from "#web/ui/layout.tsx";
import { Pill } from "./pill.tsx";
import styles from "./years.module.css";

export interface YearsProps {
  /** Years with doors, and the current year even without any. */
  years: readonly number[];
  shown: number;
  onChoose: (year: number) => void;
}

/** Buttons for the doors of past years. */
export function Years({ years, shown, onChoose }: YearsProps): ReactNode {
  if (years.length < 2) return null;
  return (
    <Row as="nav" gap={2} aria-label="Archiv" data-justify="center">
      {years.map((year) => (
        <Pill
          key={year}
          className={styles["year"]}
          aria-current={year === shown || undefined}
          onClick={() => onChoose(year)}
        >
          {year}
        </Pill>
      ))}
    </Row>
  );
}
