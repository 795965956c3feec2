import type { ReactNode } from "react";

import { Sign } from "./components/sign.tsx";
import styles from "./pages.module.css";

export function DeniedPage(): ReactNode {
  return (
    <Sign title={<span className={styles["nope"]}>Nope.</span>}>
      <p className={styles["soft"]}>Merk's dir besser.</p>
    </Sign>
  );
}
