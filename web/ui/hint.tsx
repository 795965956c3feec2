import type { ComponentPropsWithRef, ElementType, ReactNode } from "react";

import styles from "./hint.module.css";

type HintProps<Tag extends ElementType> = ComponentPropsWithRef<Tag> & { readonly as?: Tag };

/** Secondary text; `data-align="center"` centres it. */
export function Hint<Tag extends ElementType = "p">({ as, ...rest }: HintProps<Tag>): ReactNode {
  const Element: ElementType = as ?? "p";
  return <Element {...rest} className={`${styles["hint"]} ${rest.className ?? ""}`} />;
}
