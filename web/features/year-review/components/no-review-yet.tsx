import type { ReactNode } from "react";

import { ButtonLink } from "#web/router/button-link.tsx";
import { MatMessage } from "#web/ui/mat-message.tsx";
import { noReviewYetText } from "../rules.ts";

export function NoReviewYet({ today }: { today: string }): ReactNode {
  return (
    <MatMessage below={<ButtonLink href="/beercounter">Zum Bier-Counter</ButtonLink>}>
      <p>{noReviewYetText(today)}</p>
    </MatMessage>
  );
}
