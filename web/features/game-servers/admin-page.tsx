import { ArrowDown, ArrowUp, PlugZap, Plus } from "lucide-react";
import { useDeferredValue, useState, type ReactNode } from "react";

import { orderGameServers, testGameServer, type ManagedGameServer } from "#contract/game-servers.ts";
import { call } from "#web/data/api.ts";
import { useAction } from "#web/forms/use-action.ts";
import { AdminLayout } from "#web/shared/admin/admin-layout.tsx";
import { EntityDialog } from "#web/shared/admin/entity-dialog.tsx";
import { request } from "#web/shared/admin/queries.ts";
import { showFlash } from "#web/shell/flash.tsx";
import { Button } from "#web/ui/button.tsx";
import { Badge, Badges, EntityList, EntityItem } from "#web/ui/entity-list.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { Row } from "#web/ui/layout.tsx";
import { List } from "#web/ui/list.tsx";
import styles from "./admin-page.module.css";
import { useManagedGameServers } from "./admin-queries.ts";
import { driverLabels, moveItem } from "./admin-rules.ts";
import { AddCommands } from "./components/add-commands.tsx";
import { GameServerForm } from "./components/game-server-form.tsx";

export function ManagedGameServersPage(): ReactNode {
  const servers = useManagedGameServers();
  // Shows the terminal commands, which are below the list, only together with the list, so that the
  // loaded list does not shift them.
  const isListed = useDeferredValue(servers.data !== undefined);
  const [edited, setEdited] = useState<ManagedGameServer | "new" | null>(null);
  const order = useAction(async (ids: number[]) => void (await request(orderGameServers, { body: { ids } })));
  const add = (
    <Button kind="primary" onClick={() => setEdited("new")}>
      <Plus size={20} />
      Hinzufügen
    </Button>
  );
  return (
    <AdminLayout area="/admin/game-servers" action={add}>
      <EntityList
        query={servers}
        what="Die Game-Server"
        emptyText={emptyText}
        lines={3}
        below={isListed && <AddCommands />}
      >
        {(all) => (
          <List label="Game-Server">
            {all.map((server, index) => (
              <ServerLine
                key={server.id}
                server={server}
                isFirst={index === 0}
                isLast={index === all.length - 1}
                onMove={(by) => void order.run(moveItem(all, index, by).map(({ id }) => id))}
                onEdit={() => setEdited(server)}
              />
            ))}
          </List>
        )}
      </EntityList>
      <EntityDialog
        entity={edited}
        title={(server) => (server === "new" ? "Game-Server hinzufügen" : server.display_name)}
        onClose={() => setEdited(null)}
      >
        {(server) => (
          <GameServerForm
            server={server === "new" ? null : server}
            // A late reply to one dialog's request does not close another dialog that was opened
            // after it.
            onClose={() => setEdited((now) => (now === server ? null : now))}
          />
        )}
      </EntityDialog>
    </AdminLayout>
  );
}

const emptyText = "Noch kein Game-Server. Füge einen Container hinzu: ein Spiel, das in Docker oder Podman läuft.";

interface ServerLineProps {
  readonly server: ManagedGameServer;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onMove: (by: -1 | 1) => void;
  readonly onEdit: () => void;
}

function ServerLine({ server, isFirst, isLast, onMove, onEdit }: ServerLineProps): ReactNode {
  const { display_name: name, driver, ref, address, idle_stop, is_active } = server;
  const test = useAction(async () => {
    const { ok, message } = await call(testGameServer, { params: { id: server.id } });
    showFlash({ type: ok ? "success" : "error", text: message });
  });
  const actions = (
    <>
      <Row gap={2} className={styles["moves"]} data-wrap="never">
        <Button aria-label={`${name} nach oben`} disabled={isFirst} onClick={() => onMove(-1)}>
          <ArrowUp size={20} />
        </Button>
        <Button aria-label={`${name} nach unten`} disabled={isLast} onClick={() => onMove(1)}>
          <ArrowDown size={20} />
        </Button>
      </Row>
      <Row gap={2} className={styles["actions"]}>
        <Button isBusy={test.isPending} aria-label={`Verbindung testen: ${name}`} onClick={() => void test.run()}>
          <PlugZap size={20} />
          Testen
        </Button>
        <Button aria-label={`Bearbeiten: ${name}`} onClick={onEdit}>
          Bearbeiten
        </Button>
      </Row>
    </>
  );
  return (
    <EntityItem actions={actions} className={styles["line"]}>
      <strong>{name}</strong>
      <Hint as="span">
        {driverLabels[driver]}
        {ref === null ? "" : ` ${ref}`}
        {address === null ? "" : ` · ${address}`}
      </Hint>
      <Badges>
        <State server={server} />
        {idle_stop !== null && <Badge>geht nach {idle_stop} Min. ohne Spieler aus</Badge>}
      </Badges>
      {!is_active && (
        <Hint as="span">
          Kommt aus einem Backup und startet ein Programm. Gib ihn auf dem Rechner frei:{" "}
          <code>stammtisch game-server enable {server.id}</code>
        </Hint>
      )}
    </EntityItem>
  );
}

function State({ server: { state, is_active } }: { server: ManagedGameServer }): ReactNode {
  if (!is_active) return <Badge kind="bad">noch nicht freigegeben</Badge>;
  if (state === null) return <Badge kind="bad">nicht erreichbar</Badge>;
  return state.Running ? <Badge kind="good">läuft</Badge> : <Badge>aus</Badge>;
}
