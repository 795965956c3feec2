import type { ComponentPropsWithRef, ElementType, ReactNode } from "react";

import styles from "./list-item.module.css";

type ListItemProps<Tag extends ElementType> = ComponentPropsWithRef<Tag> & {
  /** The element or component to render. */
  readonly as?: Tag;
  readonly picture: ReactNode;
  /** Content at the end of the line, which wraps to the next line if there is no room. */
  readonly end?: ReactNode;
};

/**
 * A line with a picture, text and content at its end. As a link or button, the whole line can be
 * tapped. `data-align="start"` aligns all parts at the top instead of the middle.
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
