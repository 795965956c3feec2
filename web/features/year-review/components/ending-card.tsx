import type { ReactNode } from "react";

import { Button } from "#web/ui/button.tsx";
import { CardFrame } from "./card-frame.tsx";
import styles from "./card.module.css";
import { Mugs } from "./mugs.tsx";

interface EndingCardProps {
  readonly year: number;
  readonly onAgain: () => void;
  readonly onClose: () => void;
}

/** Shows the last card of the review: two beer mugs, and buttons to start again and to close. */
export function EndingCard({ year, onAgain, onClose }: EndingCardProps): ReactNode {
  return (
    <CardFrame
      title="So jung kommen wir nicht mehr zusammen"
      drawing={<Mugs />}
      actions={
        <>
          <Button kind="primary" onClick={onClose}>
            Fertig
          </Button>
          <Button onClick={onAgain}>Von vorn</Button>
        </>
      }
    >
      <p className={styles["big"]}>
        Prost auf <span className={styles["accent"]}>{year + 1}</span>
      </p>
    </CardFrame>
  );
}
