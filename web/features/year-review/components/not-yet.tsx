import type { ReactNode } from "react";

import { PageLink } from "#web/platform/page-link.tsx";
import button from "#web/ui/button.module.css";
import { MatMessage } from "#web/ui/mat-message.tsx";
import { notYetText } from "../rules.ts";

/** What lies on the table while there is no year to look back on. */
export function NotYet({ today }: { today: string }): ReactNode {
  return (
    <MatMessage
      below={
        <PageLink href="/beercounter" className={button["button"]}>
          Zum Bier-Counter
        </PageLink>
      }
    >
      <p>{notYetText(today)}</p>
    </MatMessage>
  );
}
