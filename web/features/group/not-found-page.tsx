import type { ReactNode } from "react";

import { Logo } from "#web/ui/logo.tsx";
import { MessageMat } from "./components/message-mat.tsx";
import styles from "./pages.module.css";

export function NotFoundPage(): ReactNode {
  const title = (
    <>
      ERROR 404 <span className={styles["line"]}>|</span> Site not found
    </>
  );
  return <MessageMat picture={<Logo size={112} />} title={title} />;
}
