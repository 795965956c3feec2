import type { ReactNode } from "react";

import { PageLink } from "#web/platform/page-link.tsx";
import button from "#web/ui/button.module.css";
import { MatMessage } from "#web/ui/mat-message.tsx";
import { noReviewYetText } from "../rules.ts";

/** Shown while there is no year to review. */
export function NoReviewYet({ today }: { today: string }): ReactNode {
  return (
    <MatMessage
      below={
        <PageLink href="/beercounter" className={button["button"]}>
          Zum Bier-Counter
        </PageLink>
      }
    >
      <p>{noReviewYetText(today)}</p>
    </MatMessage>
  );
}
