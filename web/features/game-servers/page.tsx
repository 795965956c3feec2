import type { ReactNode } from "react";

import { ButtonLink } from "#web/router/button-link.tsx";
import { usePermission } from "#web/session/session.ts";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import { CardErrorBoundary } from "#web/ui/card-error-boundary.tsx";
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
            <MatMessage below={isAdmin && <ButtonLink href="/admin/game-servers">Server anschließen</ButtonLink>}>
              Noch ist kein Game-Server angeschlossen.
            </MatMessage>
          ) : (
            <Columns as="ul" className={styles["servers"]}>
              {servers.map((server) => (
                <li key={server.id}>
                  <CardErrorBoundary>
                    <ServerCard server={server} />
                  </CardErrorBoundary>
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
            <TapPicture phase="stopped" />
            {place === 1 ? <h2>Die Server werden gerade geholt …</h2> : <span />}
            <span />
          </div>
        </BeerMat>
      ))}
    </Columns>
  );
}
