import type { ReactNode } from "react";

import styles from "./notice.module.css";

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
