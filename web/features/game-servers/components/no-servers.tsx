import type { ReactNode } from "react";

import { PageLink } from "#web/platform/page-link.tsx";
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
            <PageLink className={styles["link"]} href="/admin/game-servers">
              Server anschließen
            </PageLink>
          )}
        </div>
      </BeerMat>
    </div>
  );
}
