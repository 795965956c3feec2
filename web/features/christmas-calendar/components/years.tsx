import type { ReactNode } from "react";

import { Row } from "#web/ui/layout.tsx";
import { Pill } from "./pill.tsx";
import styles from "./years.module.css";

export interface YearsProps {
  /** Years whose calendars have doors, and the current year even if its calendar has none. */
  years: readonly number[];
  shown: number;
  onChoose: (year: number) => void;
}

/** Buttons that show the calendars of other years; renders nothing if there is only one year. */
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
