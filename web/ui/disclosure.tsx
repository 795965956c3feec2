import type { ReactNode } from "react";

import styles from "./disclosure.module.css";
import { Row } from "./layout.tsx";

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
