import type { ComponentPropsWithRef, ElementType, ReactNode } from "react";

import styles from "./quiet-action.module.css";

type QuietActionProps<Tag extends ElementType> = ComponentPropsWithRef<Tag> & {
  /** The element or component to render, e.g. `PageLink`. */
  readonly as?: Tag;
};

/** A button or link in the colour of secondary text, without a size and padding of its own. */
export function QuietAction<Tag extends ElementType = "button">(props: QuietActionProps<Tag>): ReactNode {
  const { as, className = "", ...rest } = props;
  const Element: ElementType = as ?? "button";
  return (
    <Element {...(as === undefined && { type: "button" })} {...rest} className={`${styles["action"]} ${className}`} />
  );
}
