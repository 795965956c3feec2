import type { ComponentPropsWithRef, ElementType, ReactNode } from "react";

import styles from "./menu-item.module.css";

type MenuItemProps<Tag extends ElementType> = ComponentPropsWithRef<Tag> & {
  /** The element or component to render, e.g. `PageLink`. */
  readonly as?: Tag;
};

/** An item of a `Menu`: a button or link with an icon and a label. */
export function MenuItem<Tag extends ElementType = "button">({ as, ...props }: MenuItemProps<Tag>): ReactNode {
  const Element: ElementType = as ?? "button";
  const type = as === undefined && { type: "button" };
  return <Element {...type} {...props} className={styles["item"]} role="menuitem" tabIndex={-1} />;
}
