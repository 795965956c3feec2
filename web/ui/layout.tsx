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

/** Children below each other, each as wide as the place. */
export function Stack<Tag extends ElementType = "div">({ as, gap = 4, ...rest }: LayoutProps<Tag>): ReactNode {
  return <Layout {...rest} element={as ?? "div"} gap={gap} layout="stack" />;
}

/** Children below each other, in two columns from 900 px. */
export function Columns<Tag extends ElementType = "div">({ as, gap = 5, ...rest }: LayoutProps<Tag>): ReactNode {
  return <Layout {...rest} element={as ?? "div"} gap={gap} layout="columns" />;
}

/** Fields beside each other where there is room for both. */
export function Pair<Tag extends ElementType = "div">({ as, gap = 4, ...rest }: LayoutProps<Tag>): ReactNode {
  return <Layout {...rest} element={as ?? "div"} gap={gap} layout="pair" />;
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

interface PageProps extends Omit<LayoutProps<"div">, "as" | "className" | "title"> {
  readonly title: string;
}

/** Children beside each other; what has no room goes to the next line. `data-justify`: "center" or "between". */
export function Row<Tag extends ElementType = "div">({ as, gap = 3, ...rest }: LayoutProps<Tag>): ReactNode {
  return <Layout {...rest} element={as ?? "div"} gap={gap} layout="row" />;
}

interface Props {
  readonly element: ElementType;
  readonly gap: Gap;
  readonly layout: "stack" | "columns" | "pair" | "row";
  readonly className?: string | undefined;
}

function Layout({ element: Element, gap, layout, className = "", ...rest }: Props): ReactNode {
  const style = { "--gap": gap === 0 ? 0 : `var(--space-${gap})` } as CSSProperties;
  return <Element {...rest} className={`${styles[layout]} ${className}`} style={style} />;
}
