import type { ReactNode } from "react";

import styles from "./notice.module.css";

interface NoticeProps {
  readonly tone?: "plain" | "success" | "error";
  readonly children: ReactNode;
}

/** A sentence that stands out from a form; one about an error is read aloud. */
export function Notice({ tone = "plain", children }: NoticeProps): ReactNode {
  return (
    <p className={styles["notice"]} data-tone={tone} role={tone === "error" ? "alert" : undefined}>
      {children}
    </p>
  );
}
