import type { ReactNode } from "react";

import { PageLink } from "#web/platform/page-link.tsx";
import { usePermission } from "#web/platform/session.ts";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import button from "#web/ui/button.module.css";
import { Columns, Page } from "#web/ui/layout.tsx";
import { MatMessage } from "#web/ui/mat-message.tsx";
import { QueryState } from "#web/ui/query-state.tsx";
import { ServerCard } from "./components/server-card.tsx";
import { TapPicture } from "./components/tap-picture.tsx";
import styles from "./page.module.css";
import { useGameServers } from "./queries.ts";

export function GameServersPage(): ReactNode {
  const canSwitch = usePermission("toggle-game-servers");
  const isAdmin = usePermission("admin");
  const query = useGameServers();
  const hasServers = query.data !== undefined && query.data.length > 0;
  return (
    <Page title="Game-Server" aria-busy={query.isPending}>
      {hasServers && !canSwitch && (
        <p className={styles["hint"]}>Zuschauen darfst du, schalten nicht. Frag jemanden, der hier zapfen darf.</p>
      )}
      <QueryState
        isPage
        query={query}
        failedText="Die Server konnten gerade nicht geladen werden."
        skeleton={<ServersSkeleton />}
      >
        {(servers) =>
          servers.length === 0 ? (
            <MatMessage
              below={
                isAdmin && (
                  <PageLink className={button["button"]} href="/admin/game-servers">
                    Server anschließen
                  </PageLink>
                )
              }
            >
              Hier gibts dann total coole Sachen...oder so.
            </MatMessage>
          ) : (
            <Columns as="ul" className={styles["servers"]}>
              {servers.map((server) => (
                <li key={server.id}>
                  <ServerCard server={server} />
                </li>
              ))}
            </Columns>
          )
        }
      </QueryState>
    </Page>
  );
}

function ServersSkeleton(): ReactNode {
  return (
    <Columns role="status" data-skeleton="">
      {[1, 2, 3].map((place) => (
        <BeerMat key={place} shape="square">
          <div className={styles["skeleton"]}>
            <TapPicture phase="off" />
            {place === 1 ? <h2>Die Server werden gerade geholt …</h2> : <span />}
            <span />
          </div>
        </BeerMat>
      ))}
    </Columns>
  );
}
