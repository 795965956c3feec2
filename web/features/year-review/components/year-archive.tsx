import type { ReactNode } from "react";

import type { ReviewYears } from "#contract/year-review.ts";
import { ButtonLink } from "#web/router/button-link.tsx";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { yearStateText } from "../rules.ts";
import styles from "./year-archive.module.css";

interface YearArchiveProps {
  readonly years: ReviewYears["years"];
  readonly onChoose: (year: number) => void;
}

/** Shows a beer mat as a button for every year with a review; the newest year is large. */
export function YearArchive({ years, onChoose }: YearArchiveProps): ReactNode {
  return (
    <>
      <nav className={styles["years"]} aria-label="Archiv">
        {years.map((one, index) => (
          <button
            key={one.year}
            type="button"
            aria-label={`${one.year}, ${yearStateText(one)}`}
            className={styles[index === 0 ? "newest" : "older"]}
            onClick={() => onChoose(one.year)}
          >
            <BeerMat shape="round">
              <Stack as="span" gap={0} className={styles["text"]} data-align="center">
                <span className={styles["year"]}>{one.year}</span> <span>{yearStateText(one)}</span>
              </Stack>
            </BeerMat>
          </button>
        ))}
      </nav>
      <ButtonLink href="/beercounter">Zum Bier-Counter</ButtonLink>
    </>
  );
}
