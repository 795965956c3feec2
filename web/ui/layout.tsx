import type { ComponentPropsWithRef, ElementType, ReactNode } from "react";

import styles from "./layout.module.css";

/** A spacing step of tokens.css, e.g. 3 for `--space-3`; 0 is no gap. */
type Gap = 0 | 1 | 2 | 3 | 4 | 5;

type LayoutProps<Tag extends ElementType> = ComponentPropsWithRef<Tag> & {
  /** The element or component to render. */
  readonly as?: Tag;
  readonly gap?: Gap;
};

/** Stacks its children at full width; `data-align="center"` centres them at their natural width. */
export const Stack = createLayout("stack", 4);

/** Stacks its children; from a page width of 900 px they are in two columns. */
export const Columns = createLayout("columns", 5);

/** Places children side by side if there is room, otherwise below each other. */
export const TwoColumns = createLayout("pair", 4);

/** Places children side by side; they wrap unless `data-wrap="never"`. `data-justify` is "center" or "between". */
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

/** A page with its heading and content; the heading is centred on phones and left-aligned from 900 px. */
export function Page({ title, children, ...rest }: PageProps): ReactNode {
  return (
    <Stack {...rest} className={styles["page"]}>
      <h1 className={styles["title"]}>{title}</h1>
      {children}
    </Stack>
  );
}
