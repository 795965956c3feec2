import type { ReactNode } from "react";

import { PageLink } from "#web/platform/page-link.tsx";
import { dashboardPath } from "#web/platform/redirect-target.ts";
import { useSession } from "#web/platform/session.ts";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import button from "#web/ui/button.module.css";

import styles from "./message-mat.module.css";

interface MessageMatProps {
  readonly picture?: ReactNode;
  readonly title: ReactNode;
  readonly children?: ReactNode;
}

/** A page with little to say, said on a round beer mat, and the way out. */
export function MessageMat({ picture, title, children }: MessageMatProps): ReactNode {
  const { user } = useSession();
  return (
    <div className={styles["sign"]}>
      <div className={styles["mat"]}>
        <BeerMat shape="round">
          <div className={styles["words"]}>
            {picture}
            <h1 className={styles["title"]}>{title}</h1>
            {children}
          </div>
        </BeerMat>
      </div>
      <PageLink className={button["button"]} data-kind="primary" href={user === null ? "/" : dashboardPath}>
        {user === null ? "Zur Startseite" : "Zum Bier-Counter"}
      </PageLink>
    </div>
  );
}
