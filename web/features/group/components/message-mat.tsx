import type { ReactNode } from "react";

import { ButtonLink } from "#web/router/button-link.tsx";
import { dashboardPath } from "#web/router/redirect-target.ts";
import { useSession } from "#web/session/session.ts";
import { MatMessage } from "#web/ui/mat-message.tsx";

interface MessageMatProps {
  readonly picture?: ReactNode;
  readonly title: ReactNode;
  readonly children?: ReactNode;
}

/**
 * Shows a short message on a drawn beer mat, with a button to the counter, or to the start page for
 * visitors without a login.
 */
export function MessageMat({ picture, title, children }: MessageMatProps): ReactNode {
  const { user } = useSession();
  return (
    <MatMessage
      below={
        <ButtonLink kind="primary" href={user === null ? "/" : dashboardPath}>
          {user === null ? "Zur Startseite" : "Zum Bier-Counter"}
        </ButtonLink>
      }
    >
      {picture}
      <h1>{title}</h1>
      {children}
    </MatMessage>
  );
}
