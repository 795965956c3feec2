import type { ReactNode } from "react";

import { memberParts } from "#web/members.tsx";
import { PageView } from "#web/platform/page-view.tsx";
import { RoutesContext } from "#web/platform/pages.ts";
import { useSession } from "#web/platform/session.ts";
import { Shell } from "#web/platform/shell/shell.tsx";
import { denied, notFound, routes } from "#web/routes.tsx";

export const pages = [...routes, denied, notFound].map(({ page }) => page);

/** The app as main.tsx renders it once everything has been loaded. */
export function App(): ReactNode {
  const isMember = useSession().user !== null;
  return (
    <RoutesContext value={routes}>
      <Shell
        account={isMember && <memberParts.AccountMenu />}
        question={isMember && <memberParts.NotificationQuestion />}
      >
        <PageView denied={denied} notFound={notFound} />
      </Shell>
      {isMember && <memberParts.Background />}
    </RoutesContext>
  );
}
