import { type ComponentPropsWithRef, type ElementType, type ReactNode } from "react";

import { Stack, Row } from "./layout.tsx";
import styles from "./text.module.css";

type HintProps<Tag extends ElementType> = ComponentPropsWithRef<Tag> & { readonly as?: Tag };

/** Centers the text with `data-align="center"`. */
export function Hint<Tag extends ElementType = "p">({ as, ...rest }: HintProps<Tag>): ReactNode {
  const Element: ElementType = as ?? "p";
  return <Element {...rest} className={`${styles["hint"]} ${rest.className ?? ""}`} />;
}

interface NoticeProps {
  readonly tone?: "plain" | "success" | "error";
  readonly children: ReactNode;
}

/** Lets screen readers announce errors. */
export function Notice({ tone = "plain", children }: NoticeProps): ReactNode {
  return (
    <p className={styles["notice"]} data-tone={tone} role={tone === "error" ? "alert" : undefined}>
      {children}
    </p>
  );
}

export function Steps({ children }: { children: readonly ReactNode[] }): ReactNode {
  return (
    <Stack as="ol" gap={3} className={styles["steps"]}>
      {children.map((step, place) => (
        <li key={place}>{step}</li>
      ))}
    </Stack>
  );
}

/** Shows and hides the details below on a tap. */
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
