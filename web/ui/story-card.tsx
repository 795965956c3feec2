import type { CSSProperties, ReactNode } from "react";

import { BeerMat } from "./beer-mat.tsx";
import { Row } from "./layout.tsx";
import reveal from "./reveal.module.css";
import styles from "./story-card.module.css";

/** Delays items, so that they appear one after the other. */
export function turn(index: number, count: number): CSSProperties {
  return { "--turn": (index / Math.max(1, count - 1)).toFixed(3) } as CSSProperties;
}

interface StoryFrameProps {
  readonly title: string;
  /** Drawing above the text, or beside it on low screens. */
  readonly drawing?: ReactNode;
  /** Roughly square if omitted. */
  readonly shape?: "wide" | "low" | "tall";
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

export function StoryFrame({ title, drawing, shape, actions, children }: StoryFrameProps): ReactNode {
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

interface StoryTextProps {
  readonly look: "number" | "big" | "text" | "secondary";
  readonly as?: "p" | "span";
  readonly children: ReactNode;
}

export function StoryText({ look, as: Element = "p", children }: StoryTextProps): ReactNode {
  return (
    <Element className={`${styles["words"]} ${look === "number" ? reveal["pop"] : ""}`} data-look={look}>
      {children}
    </Element>
  );
}

export function Accent({ children }: { children: ReactNode }): ReactNode {
  return <span className={styles["accent"]}>{children}</span>;
}

/** A tilted mat with words, a number or strokes. */
export function StoryMat({ children }: { children: ReactNode }): ReactNode {
  return (
    <div className={`${styles["mat"]} ${reveal["lay"]}`}>
      <BeerMat shape="round">
        <div className={styles["onMat"]}>{children}</div>
      </BeerMat>
    </div>
  );
}

export function MatWords({ children }: { children: ReactNode }): ReactNode {
  return <p className={styles["matWords"]}>{children}</p>;
}

/** Lists moments in order of time. */
export function Moments({ moments }: { moments: readonly { label: string; content: ReactNode }[] }): ReactNode {
  return (
    <ol className={styles["moments"]}>
      {moments.map(({ label, content }, index) => (
        <li key={label} className={reveal["slide-in"]} style={turn(index, moments.length)}>
          <StoryText as="span" look="secondary">
            {label}
          </StoryText>
          {content}
        </li>
      ))}
    </ol>
  );
}

interface StoryPhoto {
  readonly src: string;
  readonly alt: string;
  /** `null` without a caption. */
  readonly caption: string | null;
}

/** Prints that lie on the table, at most four. */
export function Photos({ photos }: { photos: readonly StoryPhoto[] }): ReactNode {
  return (
    <ul className={styles["photos"]} data-count={photos.length}>
      {photos.map(({ src, alt, caption }, index) => (
        <li key={src} className={reveal["lay"]} data-tilt={index % 3}>
          <img src={src} alt={alt} draggable={false} />
          <span className="one-line">{caption}</span>
        </li>
      ))}
    </ul>
  );
}
