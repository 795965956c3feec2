import type { ReactNode } from "react";

import type { YearReview } from "#contract/year-review.ts";
import { useGroup } from "#web/session/session.ts";
import { Button } from "#web/ui/button.tsx";
import { MatNumber } from "#web/ui/mat-number.tsx";
import { findOwnChapter, listCards } from "../rules.ts";
import { CardFrame } from "./card-frame.tsx";
import styles from "./card.module.css";
import { StoryMat } from "./story-mat.tsx";

interface CoverCardProps {
  readonly review: YearReview;
  readonly onGo: (index: number) => void;
}

export function CoverCard({ review, onGo }: CoverCardProps): ReactNode {
  const { year, final } = review;
  const { group_name: group } = useGroup();
  return (
    <CardFrame
      title="Jahresrückblick"
      drawing={
        <StoryMat>
          <p className={styles["matWords"]}>{group}</p>
          <p>
            <MatNumber text={String(year)} />
          </p>
          <p className={styles["matWords"]}>{final ? "das ganze Jahr" : "bis heute"}</p>
        </StoryMat>
      }
      actions={
        <>
          <Button kind="primary" onClick={() => onGo(1)}>
            Unser Jahr
          </Button>
          <Button onClick={() => onGo(findOwnChapter(listCards(review)))}>Mein Jahr</Button>
        </>
      }
    >
      <p className={styles["text"]}>
        {final
          ? "Was vom Jahr auf den Deckeln steht."
          : "Was bisher auf den Deckeln steht. Komplett ist das Jahr am 1. Januar."}
      </p>
      <p className={styles["secondary"]}>Tippen, wischen oder Pfeiltasten</p>
    </CardFrame>
  );
}
