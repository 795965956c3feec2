import type { ReactNode } from "react";

import { hasPermission, useSession } from "#web/platform/session.ts";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import { Button } from "#web/ui/button.tsx";

import { NoServers } from "./components/no-servers.tsx";
import { ServerCard } from "./components/server-card.tsx";
import { TapPicture } from "./components/tap-picture.tsx";
import styles from "./page.module.css";
import { useGameServers } from "./queries.ts";

export function GameServersPage(): ReactNode {
  useSession();
  const { data: servers, isPending, isError, refetch } = useGameServers();
  return (
    <section className={styles["page"]} aria-busy={isPending} aria-label="Game-Server">
      <h1 className={styles["title"]}>Game-Server</h1>
      {servers !== undefined && servers.length > 0 && !hasPermission("toggle-game-servers") && (
        <p className={styles["hint"]}>Zuschauen darfst du, schalten nicht. Frag wen, der hier zapfen darf.</p>
      )}
      {isPending && <Loading />}
      {isError && servers === undefined && <LoadingFailed onRetry={() => void refetch()} />}
      {servers?.length === 0 && <NoServers isAdmin={hasPermission("admin")} />}
      {servers !== undefined && servers.length > 0 && (
        <ul className={styles["servers"]}>
          {servers.map((server) => (
            <li key={server.id}>
              <ServerCard server={server} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Where the servers will be. */
function Loading(): ReactNode {
  return (
    <div className={styles["servers"]} role="status" aria-label="Die Server werden geholt …">
      {[1, 2, 3].map((place) => (
        <BeerMat key={place} shape="square">
          <div className={styles["skeleton"]}>
            <TapPicture phase="off" />
            <span />
            <span />
          </div>
        </BeerMat>
      ))}
    </div>
  );
}

function LoadingFailed({ onRetry }: { onRetry: () => void }): ReactNode {
  return (
    <div className={styles["failed"]} role="alert">
      <BeerMat shape="square">
        <div className={styles["failedWords"]}>
          <TapPicture phase="crashed" />
          <p>Die Server konnten gerade nicht geladen werden.</p>
          <Button onClick={onRetry}>Nochmal versuchen</Button>
        </div>
      </BeerMat>
    </div>
  );
}
