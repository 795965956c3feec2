import type { ComponentPropsWithRef, ElementType, ReactNode } from "react";

import styles from "./layout.module.css";

/** A spacing step of tokens.css; 0 is none. */
type Gap = 0 | 1 | 2 | 3 | 4 | 5 | 6;

type LayoutProps<Tag extends ElementType> = ComponentPropsWithRef<Tag> & {
  /** The element or component to render. */
  readonly as?: Tag;
  readonly gap?: Gap;
};

/** Stacks its children at full width; with `data-align="center"` centred at their own width. */
export const Stack = createLayout("stack", 4);

/** Stacks its children, in two columns from 900 px. */
export const Columns = createLayout("columns", 5);

/** Puts fields side by side if there is room. */
export const TwoColumns = createLayout("pair", 4);

/** Puts children side by side, wrapping unless `data-wrap="never"`. `data-justify`: "center" or "between". */
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
