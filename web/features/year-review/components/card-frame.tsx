import type { CSSProperties, ReactNode } from "react";

import { Row } from "#web/ui/layout.tsx";
import styles from "./card.module.css";

interface CardFrameProps {
  readonly title: string;
  /** Drawing that fills the space above or beside the text. */
  readonly drawing?: ReactNode;
  /** Aspect ratio of the drawing; roughly square if omitted. */
  readonly shape?: "wide" | "low" | "tall";
  /** Buttons below the text, visible on low screens without scrolling. */
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/**
 * Lays out a card of the year review: heading, drawing, and the text below the drawing or, on low
 * screens, beside it.
 */
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

/**
 * Returns a style that delays the animation of the `index`th of `count` items, so that they appear
 * one after the other (see reveal.module.css).
 */
export function turn(index: number, count: number): CSSProperties {
  return { "--turn": (index / Math.max(1, count - 1)).toFixed(3) } as CSSProperties;
}
