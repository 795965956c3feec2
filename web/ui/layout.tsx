import type { ComponentPropsWithRef, CSSProperties, ElementType, ReactNode } from "react";

import styles from "./layout.module.css";

/** A step of the distances in tokens.css, or none. */
type Gap = 0 | 1 | 2 | 3 | 4 | 5 | 6;

type LayoutProps<Tag extends ElementType> = ComponentPropsWithRef<Tag> & {
  /** The element or component to use. */
  readonly as?: Tag;
  /** The distance between the children. */
  readonly gap?: Gap;
};

/** Children below each other, each as wide as the place; `data-align="center"`: as wide as themselves, in its middle. */
export const Stack = createLayout("stack", 4);

/** Children below each other, in two columns from 900 px. */
export const Columns = createLayout("columns", 5);

/** Fields beside each other where there is room for both. */
export const Pair = createLayout("pair", 4);

/** Children beside each other; what has no room goes to the next line, or `data-wrap="never"`. `data-justify`: "center" or "between". */
export const Row = createLayout("row", 3);

function createLayout(layout: "stack" | "columns" | "pair" | "row", usualGap: Gap) {
  return function Layout<Tag extends ElementType = "div">(props: LayoutProps<Tag>): ReactNode {
    const { as, gap = usualGap, className = "", ...rest } = props;
    const Element: ElementType = as ?? "div";
    const style = { "--gap": gap === 0 ? 0 : `var(--space-${gap})` } as CSSProperties;
    return <Element {...rest} className={`${styles[layout]} ${className}`} style={style} />;
  };
}

interface PageProps extends Omit<LayoutProps<"div">, "as" | "className" | "title"> {
  readonly title: ReactNode;
}

/** A page as wide as the column: its heading, in the middle on phones and at the left edge from 900 px, and its content. */
export function Page({ title, children, ...rest }: PageProps): ReactNode {
  return (
    <Stack {...rest} className={styles["page"]}>
      <h1 className={styles["title"]}>{title}</h1>
      {children}
    </Stack>
  );
}
