import type { ReactNode } from "react";

import { Logo } from "#web/ui/logo.tsx";
import styles from "./full-screen-message.module.css";

export function FullScreenMessage({ title, children }: { title: string; children?: ReactNode }): ReactNode {
  return (
    <main className={styles["sign"]}>
      <Logo size={160} />
      <h1 className={styles["title"]}>{title}</h1>
      <p className={styles["text"]} role="status">
        {children}
      </p>
    </main>
  );
}
