import type { ReactNode } from "react";

import type { YearReview } from "#contract/year-review.ts";
import { useGroup } from "#web/platform/session.ts";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import { Button } from "#web/ui/button.tsx";

import styles from "./card.module.css";

interface CoverCardProps {
  readonly review: YearReview;
  readonly onNext: () => void;
  readonly onOwnYear: () => void;
}

export function CoverCard({ review: { year, final }, onNext, onOwnYear }: CoverCardProps): ReactNode {
  const { group_name: group } = useGroup();
  return (
    <>
      <h2 className={styles["title"]} tabIndex={-1}>
        Jahresrückblick
      </h2>
      <div className={styles["mat"]}>
        <BeerMat shape="round">
          <div className={styles["onMat"]}>
            <p className={styles["matWords"]}>{group}</p>
            <p className={styles["matNumber"]} data-length="4">
              {year}
            </p>
            <p className={styles["matWords"]}>{final ? "das ganze Jahr" : "bis heute"}</p>
          </div>
        </BeerMat>
      </div>
      <p className={styles["words"]}>
        {final
          ? "Was vom Jahr auf den Deckeln steht."
          : "Was bisher auf den Deckeln steht. Komplett ist das Jahr am 1. Januar."}
      </p>
      <div className={styles["actions"]}>
        <Button kind="primary" onClick={onNext}>
          Unser Jahr
        </Button>
        <Button onClick={onOwnYear}>Mein Jahr</Button>
      </div>
      <p className={styles["soft"]}>Tippen, wischen oder Pfeiltasten</p>
    </>
  );
}
