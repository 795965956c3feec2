import type { ReactNode } from "react";

import { mayI, useSession } from "#web/platform/session.ts";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import { Button } from "#web/ui/button.tsx";

import { NoServers } from "./components/no-servers.tsx";
import { ServerCard } from "./components/server-card.tsx";
import { Tap } from "./components/tap.tsx";
import styles from "./page.module.css";
import { useGameServers } from "./queries.ts";

export function GameServersPage(): ReactNode {
  useSession();
  const { data: servers, isPending, isError, refetch } = useGameServers();
  return (
    <section className={styles["page"]} aria-busy={isPending} aria-label="Game-Server">
      <h1 className={styles["title"]}>Game-Server</h1>
      {servers !== undefined && servers.length > 0 && !mayI("toggle-game-servers") && (
        <p className={styles["hint"]}>Zuschauen darfst du, schalten nicht. Frag wen, der hier zapfen darf.</p>
      )}
      {isPending && <Loading />}
      {isError && servers === undefined && <LoadingFailed onRetry={() => void refetch()} />}
      {servers?.length === 0 && <NoServers isAdmin={mayI("admin")} />}
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
            <Tap phase="off" />
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
          <Tap phase="crashed" />
          <p>Die Server konnten gerade nicht geladen werden.</p>
          <Button onClick={onRetry}>Nochmal versuchen</Button>
        </div>
      </BeerMat>
    </div>
  );
}
