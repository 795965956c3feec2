import type { ReactNode } from "react";

import { MessageMat } from "./components/message-mat.tsx";
import styles from "./pages.module.css";

export function DeniedPage(): ReactNode {
  return (
    <MessageMat title={<span className={styles["title"]}>Nope.</span>}>
      <p className={styles["secondary"]}>Merk's dir besser.</p>
    </MessageMat>
  );
}
