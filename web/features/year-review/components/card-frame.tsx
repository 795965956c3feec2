import type { CSSProperties, ReactNode } from "react";

import { Row } from "#web/ui/layout.tsx";
import styles from "./card.module.css";

interface CardFrameProps {
  readonly title: string;
  /** Takes the room that the words leave. */
  readonly drawing?: ReactNode;
  /** The shape of the drawing, unless it is about square. */
  readonly shape?: "wide" | "low" | "tall";
  /** Stays in view however low the screen is. */
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** A card: its heading at the same height on all of them, a drawing, and the words below or, on low screens, beside it. */
export function CardFrame({ title, drawing, shape, actions, children }: CardFrameProps): ReactNode {
  return (
    <>
      <h2 className={styles["title"]} tabIndex={-1}>
        {title}
      </h2>
      <div className={styles["body"]}>
        {drawing !== undefined && (
          <div className={styles["drawing"]} data-shape={shape}>
            {drawing}
          </div>
        )}
        {children !== undefined && <div className={styles["below"]}>{children}</div>}
      </div>
      {actions !== undefined && <Row data-justify="center">{actions}</Row>}
    </>
  );
}

/** When the `index`th of `count` things is revealed, for the animations of reveal.module.css. */
export function turn(index: number, count: number): CSSProperties {
  return { "--turn": (index / Math.max(1, count - 1)).toFixed(3) } as CSSProperties;
}
