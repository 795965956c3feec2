import { ChevronRight } from "lucide-react";
import type { ComponentPropsWithRef, ElementType, ReactNode } from "react";

import { Tally } from "./beer-mat.tsx";
import styles from "./strip.module.css";

export type StripProps<Tag extends ElementType> = ComponentPropsWithRef<Tag> & {
  readonly as?: Tag;
  readonly title: string;
  readonly text: string;
};

/** A golden board that leads to a story. */
export function Strip<Tag extends ElementType = "button">(props: StripProps<Tag>): ReactNode {
  const { as, title, text, ...rest } = props;
  const Element: ElementType = as ?? "button";
  return (
    <Element {...(as === undefined && { type: "button" })} {...rest} className={styles["strip"]}>
      <span className={styles["strokes"]}>
        <Tally count={5} />
      </span>
      <span>
        <strong>{title}</strong>
        <span className={styles["text"]}>{text}</span>
      </span>
      <ChevronRight size={22} />
    </Element>
  );
}
