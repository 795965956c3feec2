import type { ComponentPropsWithRef, ElementType, ReactNode } from "react";

import styles from "./list-item.module.css";

type ListItemProps<Tag extends ElementType> = ComponentPropsWithRef<Tag> & {
  /** The element or component to render. */
  readonly as?: Tag;
  readonly picture: ReactNode;
  /** Content at the end of the line; it wraps to the next line if there is no room. */
  readonly end?: ReactNode;
};

/**
 * A line with a picture, stacked words and content at its end. As a link or button it reacts as a whole. `data-align="start"`
 * aligns at the top instead of the middle.
 */
export function ListItem<Tag extends ElementType = "div">(props: ListItemProps<Tag>): ReactNode {
  const { as, picture, end, children, className = "", ...rest } = props;
  const Element: ElementType = as ?? "div";
  return (
    <Element {...rest} className={`${styles["item"]} ${className}`}>
      {picture}
      <span className={styles["text"]}>{children}</span>
      {end}
    </Element>
  );
}
