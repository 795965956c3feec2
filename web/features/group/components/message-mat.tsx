import type { ReactNode } from "react";

import { PageLink } from "#web/platform/page-link.tsx";
import { dashboardPath } from "#web/platform/redirect-target.ts";
import { useSession } from "#web/platform/session.ts";
import button from "#web/ui/button.module.css";
import { MatMessage } from "#web/ui/mat-message.tsx";

interface MessageMatProps {
  readonly picture?: ReactNode;
  readonly title: ReactNode;
  readonly children?: ReactNode;
}

/** A page with little to say, said on a round beer mat, and the way out. */
export function MessageMat({ picture, title, children }: MessageMatProps): ReactNode {
  const { user } = useSession();
  return (
    <MatMessage
      below={
        <PageLink className={button["button"]} data-kind="primary" href={user === null ? "/" : dashboardPath}>
          {user === null ? "Zur Startseite" : "Zum Bier-Counter"}
        </PageLink>
      }
    >
      {picture}
      <h1>{title}</h1>
      {children}
    </MatMessage>
  );
}
