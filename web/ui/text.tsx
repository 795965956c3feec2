import { type ComponentPropsWithRef, type ElementType, type ReactNode } from "react";

import { Stack, Row } from "./layout.tsx";
import styles from "./text.module.css";

type HintProps<Tag extends ElementType> = ComponentPropsWithRef<Tag> & { readonly as?: Tag };

/** Secondary text; `data-align="center"` centres it. */
export function Hint<Tag extends ElementType = "p">({ as, ...rest }: HintProps<Tag>): ReactNode {
  const Element: ElementType = as ?? "p";
  return <Element {...rest} className={`${styles["hint"]} ${rest.className ?? ""}`} />;
}

interface NoticeProps {
  readonly tone?: "plain" | "success" | "error";
  readonly children: ReactNode;
}

/** A highlighted sentence in a form; screen readers announce errors. */
export function Notice({ tone = "plain", children }: NoticeProps): ReactNode {
  return (
    <p className={styles["notice"]} data-tone={tone} role={tone === "error" ? "alert" : undefined}>
      {children}
    </p>
  );
}

/** A list of instructions, numbered on small beer mats. */
export function Steps({ children }: { children: readonly ReactNode[] }): ReactNode {
  return (
    <Stack as="ol" gap={3} className={styles["steps"]}>
      {children.map((step, place) => (
        <li key={place}>{step}</li>
      ))}
    </Stack>
  );
}

/** A title that shows and hides the details below when it is tapped. */
export function Disclosure({ title, children }: { title: ReactNode; children: ReactNode }): ReactNode {
  return (
    <details className={styles["disclosure"]}>
      <Row as="summary" data-wrap="never" data-justify="between">
        {title}
      </Row>
      {children}
    </details>
  );
}
