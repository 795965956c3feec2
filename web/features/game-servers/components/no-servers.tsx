import type { ReactNode } from "react";

import { BeerMat } from "#web/ui/beer-mat.tsx";

import styles from "./no-servers.module.css";

/** What stands there while the group has no server. */
export function NoServers({ isAdmin }: { isAdmin: boolean }): ReactNode {
  return (
    <div className={styles["mat"]}>
      <BeerMat shape="round">
        <div className={styles["words"]}>
          <p className={styles["text"]}>Hier gibts dann total coole Sachen...oder so.</p>
          {isAdmin && (
            <p className={styles["hint"]}>
              Du kannst den ersten Server anschließen: <code>stammtisch game-server add</code>
            </p>
          )}
        </div>
      </BeerMat>
    </div>
  );
}
