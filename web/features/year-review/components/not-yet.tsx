import type { ReactNode } from "react";

import { PageLink } from "#web/platform/page-link.tsx";
import { BeerMat } from "#web/ui/beer-mat.tsx";

import { notYetText } from "../rules.ts";
import styles from "./year-archive.module.css";

/** What lies on the table while there is no year to look back on. */
export function NotYet({ today }: { today: string }): ReactNode {
  return (
    <>
      <div className={styles["newest"]}>
        <BeerMat shape="round">
          <div className={styles["words"]}>
            <p className={styles["year"]}>{today.slice(0, 4)}</p>
            <p>{notYetText(today)}</p>
          </div>
        </BeerMat>
      </div>
      <PageLink href="/beercounter" className={styles["back"]}>
        Zum Bier-Counter
      </PageLink>
    </>
  );
}
