import type { ReactNode } from "react";

import { useGroup } from "#web/session/session.ts";
import { Logo } from "#web/ui/logo.tsx";
import styles from "./pages.module.css";

export function HomePage(): ReactNode {
  const { group_name: name } = useGroup();
  return (
    <div className={styles["home"]}>
      <h1 className="visually-hidden">{name}</h1>
      <div className={styles["largeLogo"]}>
        <Logo size={512} />
      </div>
    </div>
  );
}
