import type { ComponentPropsWithRef, ElementType, ReactNode } from "react";

import styles from "./layout.module.css";

/** E.g. 3 for `--space-3`. */
type Gap = 0 | 1 | 2 | 3 | 4 | 5;

type LayoutProps<Tag extends ElementType> = ComponentPropsWithRef<Tag> & {
  readonly as?: Tag;
  readonly gap?: Gap;
};

/** `data-align="center"` centers the children at their natural width. */
export const Stack = createLayout("stack", 4);

/** Has two columns from a page width of 900 px on. */
export const Columns = createLayout("columns", 5);

/** Places children side by side if there is room. */
export const TwoColumns = createLayout("pair", 4);

/** Wraps unless `data-wrap="never"`; `data-justify` is "center" or "between". */
export const Row = createLayout("row", 3);

function createLayout(layout: "stack" | "columns" | "pair" | "row", usualGap: Gap) {
  return function Layout<Tag extends ElementType = "div">(props: LayoutProps<Tag>): ReactNode {
    const { as, gap = usualGap, className = "", ...rest } = props;
    const Element: ElementType = as ?? "div";
    return <Element {...rest} className={`${styles[layout]} ${className}`} data-gap={gap} />;
  };
}

interface PageProps extends Omit<LayoutProps<"div">, "as" | "className" | "title"> {
  readonly title: ReactNode;
}

/** Its heading is centered on phones, left-aligned from 900 px on. */
export function Page({ title, children, ...rest }: PageProps): ReactNode {
  return (
    <Stack {...rest} className={styles["page"]}>
      <h1 className={styles["title"]}>{title}</h1>
      {children}
    </Stack>
  );
}
