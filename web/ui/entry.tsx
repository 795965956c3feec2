import type { ComponentPropsWithRef, ElementType, ReactNode } from "react";

import styles from "./entry.module.css";

type EntryProps<Tag extends ElementType> = ComponentPropsWithRef<Tag> & {
  /** The element or component to use. */
  readonly as?: Tag;
  readonly picture: ReactNode;
  /** What stands at its end; it goes to the next line where there is no room. */
  readonly end?: ReactNode;
};

/**
 * A line: a picture, words below each other, and what belongs to them; a link or button can be pointed at as a whole.
 * `data-align="start"`: at their upper edges instead of in the middle.
 */
export function Entry<Tag extends ElementType = "div">(props: EntryProps<Tag>): ReactNode {
  const { as, picture, end, children, className = "", ...rest } = props;
  const Element: ElementType = as ?? "div";
  return (
    <Element {...rest} className={`${styles["entry"]} ${className}`}>
      {picture}
      <span className={styles["text"]}>{children}</span>
      {end}
    </Element>
  );
}
