import { ArrowDown, ArrowUp, PlugZap, Plus } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { ManagedGameServer } from "#contract/admin-game-servers.ts";
import { showFlash } from "#web/platform/flash.tsx";
import { useMutation } from "#web/platform/use-mutation.ts";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import { Button } from "#web/ui/button.tsx";
import { EmptyText, QueryState, Skeleton } from "#web/ui/query-state.tsx";

import { AdminLayout } from "./components/admin-layout.tsx";
import { GameServerDialog } from "./components/game-server-dialog.tsx";
import list from "./components/list.module.css";
import styles from "./game-servers-page.module.css";
import { orderGameServers, testGameServer, useGameServers } from "./queries.ts";
import { driverLabels, moveItem } from "./rules.ts";

export function GameServersPage(): ReactNode {
  const servers = useGameServers();
  const [edited, setEdited] = useState<ManagedGameServer | "new" | null>(null);
  const add = (
    <Button kind="primary" onClick={() => setEdited("new")}>
      <Plus size={20} aria-hidden="true" />
      Hinzufügen
    </Button>
  );
  return (
    <AdminLayout area="/admin/game-servers" action={add}>
      <BeerMat shape="square">
        <div className={styles["content"]}>
          <QueryState
            query={servers}
            failedText="Die Game-Server lassen sich gerade nicht laden."
            skeleton={<Skeleton lines={3} />}
            align="center"
          >
            {(all) => <ServerList servers={all} onEdit={setEdited} />}
          </QueryState>
        </div>
      </BeerMat>
      <GameServerDialog edited={edited} onClose={() => setEdited(null)} />
    </AdminLayout>
  );
}

interface ServerListProps {
  readonly servers: readonly ManagedGameServer[];
  readonly onEdit: (server: ManagedGameServer) => void;
}

function ServerList({ servers, onEdit }: ServerListProps): ReactNode {
  const order = useMutation(orderGameServers);
  if (servers.length === 0) {
    return (
      <EmptyText align="center">
        Noch kein Game-Server. Füge einen Container hinzu; andere Arten kennt die Befehlszeile.
      </EmptyText>
    );
  }
  const ids = servers.map(({ id }) => id);
  return (
    <ul className={list["list"]} aria-label="Game-Server">
      {servers.map((server, index) => (
        <ServerLine
          key={server.id}
          server={server}
          isFirst={index === 0}
          isLast={index === servers.length - 1}
          isMoving={order.pending !== null}
          onMove={(by) => void order.run(moveItem(ids, index, by))}
          onEdit={() => onEdit(server)}
        />
      ))}
    </ul>
  );
}

interface ServerLineProps {
  readonly server: ManagedGameServer;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isMoving: boolean;
  readonly onMove: (by: -1 | 1) => void;
  readonly onEdit: () => void;
}

function ServerLine({ server, isFirst, isLast, isMoving, onMove, onEdit }: ServerLineProps): ReactNode {
  const { display_name: name, driver, ref, address, state } = server;
  const test = useMutation(async () => {
    const { ok, message } = await testGameServer(server.id);
    showFlash({ type: ok ? "success" : "error", text: message });
  });
  return (
    <li className={`${list["item"]} ${styles["line"]}`}>
      <div className={styles["words"]}>
        <strong>{name}</strong>
        <span className={list["soft"]}>
          {driverLabels[driver]}
          {ref === null ? "" : ` ${ref}`}
          {address === null ? "" : ` · ${address}`}
        </span>
        <span className={list["badges"]}>
          <span className={list["badge"]} data-kind={state === null ? "bad" : state.Running ? "good" : undefined}>
            {state === null ? "nicht erreichbar" : state.Running ? "läuft" : "aus"}
          </span>
          {server.idle_stop !== null && (
            <span className={list["badge"]}>geht nach {server.idle_stop} Min. ohne Spieler aus</span>
          )}
        </span>
      </div>
      <div className={styles["moves"]}>
        <Button aria-label={`${name} nach oben`} disabled={isFirst || isMoving} onClick={() => onMove(-1)}>
          <ArrowUp size={20} aria-hidden="true" />
        </Button>
        <Button aria-label={`${name} nach unten`} disabled={isLast || isMoving} onClick={() => onMove(1)}>
          <ArrowDown size={20} aria-hidden="true" />
        </Button>
      </div>
      <div className={styles["actions"]}>
        <Button
          isBusy={test.pending !== null}
          aria-label={`Verbindung testen: ${name}`}
          onClick={() => void test.run()}
        >
          <PlugZap size={20} aria-hidden="true" />
          Testen
        </Button>
        <Button aria-label={`Bearbeiten: ${name}`} onClick={onEdit}>
          Bearbeiten
        </Button>
      </div>
    </li>
  );
}
