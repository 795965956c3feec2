import { ArrowDown, ArrowUp, Copy, PlugZap, Plus, Trash2 } from "lucide-react";
import { useDeferredValue, useRef, useState, type ReactNode } from "react";

import {
  addGameServer,
  changeGameServer,
  gameServerLimits,
  getManagedGameServers,
  orderGameServers,
  queryKinds,
  removeGameServer,
  testGameServer,
  type ManagedGameServer,
} from "#contract/game-servers.ts";
import { AdminLayout } from "#web/admin/admin-layout.tsx";
import { adminKey, change, request } from "#web/admin/api.ts";
import { EntityDialog } from "#web/admin/dialogs.tsx";
import { call } from "#web/client/api.ts";
import { useReply } from "#web/data/query-client.ts";
import { useAction } from "#web/forms/use-action.ts";
import { textOf } from "#web/forms/use-form.ts";
import { ConfirmStep } from "#web/page/confirm.tsx";
import { showMessage } from "#web/page/messages.tsx";
import { copyText } from "#web/page/share-link.tsx";
import { Button } from "#web/ui/button.tsx";
import { Disclosure } from "#web/ui/disclosure.tsx";
import { Badge, Badges, EntityList, EntityItem } from "#web/ui/entity-list.tsx";
import { Field } from "#web/ui/field.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { Row, Stack, TwoColumns } from "#web/ui/layout.tsx";
import { List } from "#web/ui/list.tsx";
import { Select } from "#web/ui/select.tsx";
import styles from "./admin-page.module.css";
import { moveItem } from "./rules.ts";

const driverLabels: Record<ManagedGameServer["driver"], string> = {
  docker: "Container",
  unit: "Dienst",
  script: "Skript",
  command: "Programm",
};

const addCommands: Record<Exclude<ManagedGameServer["driver"], "docker">, string> = {
  unit: "bin/stammtisch game-server add NAME --unit DIENST",
  script: "bin/stammtisch game-server add NAME --script DATEI",
  command: "bin/stammtisch game-server add NAME --command 'PROGRAMM ARGUMENTE'",
};

const queryLabels: Record<ManagedGameServer["query"], string> = {
  none: "gar nicht",
  minecraft: "Minecraft",
  source: "wie bei Steam (z. B. Counter-Strike, Valheim)",
  quake3: "wie bei Quake 3 (z. B. OpenArena, Xonotic)",
};

export function ManagedGameServersPage(): ReactNode {
  const servers = useReply(getManagedGameServers, { queryKey: [...adminKey, "game-servers"] });
  // Shows the terminal commands together with the list above them, which would shift them.
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
            // A late reply does not close another dialog that was opened after it.
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
    showMessage({ type: ok ? "success" : "error", text: message });
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

interface GameServerFormProps {
  /** `null` for a new one. */
  readonly server: ManagedGameServer | null;
  readonly onClose: () => void;
}

function GameServerForm({ server, onClose }: GameServerFormProps): ReactNode {
  const [isRemoving, setRemoving] = useState(false);
  if (server && isRemoving)
    return <RemovalStep server={server} onCancel={() => setRemoving(false)} onRemoved={onClose} />;
  const send = async (values: FormData): Promise<string> => {
    const text = (name: string) => textOf(values, name);
    const settings = {
      display_name: text("display_name"),
      address: textOrNull(text("address")),
      query: queryKinds.find((kind) => kind === text("query")) ?? "none",
      grace: numberOrNull(text("grace")),
      idle_stop: numberOrNull(text("idle_stop")),
    };
    return server
      ? change(changeGameServer, { params: { id: server.id }, body: settings })
      : change(addGameServer, { body: { ref: text("ref"), ...settings } });
  };
  const remove = server !== null && (
    <Button kind="danger" onClick={() => setRemoving(true)}>
      <Trash2 size={20} />
      Entfernen …
    </Button>
  );
  const { grace, idleStop } = gameServerLimits;
  return (
    <ConfirmStep
      endpoint={addGameServer}
      action={server === null ? "Hinzufügen" : "Speichern"}
      kind="primary"
      onConfirm={send}
      onClose={onClose}
      otherAction={remove}
    >
      <Field
        label="Name"
        name="display_name"
        defaultValue={server?.display_name}
        hint="So steht er in der Liste."
        autoComplete="off"
        required
      />
      {server === null ? (
        <Field
          label="Container"
          name="ref"
          hint="Das Spiel als Paket, das in Docker oder Podman läuft: sein Name dort. Es muss ihn schon geben."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
      ) : (
        <Hint>
          {driverLabels[server.driver]}
          {server.ref === null ? ", auf der Befehlszeile eingerichtet" : `: ${server.ref}`}
        </Hint>
      )}
      <Field
        label="Adresse"
        name="address"
        defaultValue={server?.address ?? ""}
        placeholder="spiel.example.org:25565"
        hint="Damit verbinden sich alle. Darf leer bleiben."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Select
        label="Spieler zählen"
        name="query"
        defaultValue={server?.query ?? "none"}
        options={queryKinds.map((kind) => ({ value: kind, label: queryLabels[kind] }))}
      />
      <TwoColumns>
        <Field
          label="Frist beim Herunterfahren (Sek.)"
          name="grace"
          type="number"
          inputMode="numeric"
          {...grace}
          defaultValue={server?.grace ?? ""}
          hint="Leer: wie üblich."
        />
        <Field
          label="Nach wie vielen Minuten ohne Spieler ausschalten?"
          name="idle_stop"
          type="number"
          inputMode="numeric"
          {...idleStop}
          defaultValue={server?.idle_stop ?? ""}
          hint="Leer: nie von selbst."
        />
      </TwoColumns>
    </ConfirmStep>
  );
}

interface RemovalStepProps {
  readonly server: ManagedGameServer;
  readonly onCancel: () => void;
  readonly onRemoved: () => void;
}

function RemovalStep({ server, onCancel, onRemoved }: RemovalStepProps): ReactNode {
  const remove = async (): Promise<string> => {
    const message = await change(removeGameServer, { params: { id: server.id } });
    onRemoved();
    return message;
  };
  return (
    <ConfirmStep action="Entfernen" onConfirm={remove} onClose={onCancel}>
      <p>Der Server verschwindet aus der Liste. Was läuft, läuft weiter, und gelöscht wird nichts.</p>
    </ConfirmStep>
  );
}

function AddCommands(): ReactNode {
  return (
    <Disclosure title="Dienst, Skript oder Programm hinzufügen">
      <Stack gap={2}>
        <Hint>
          Was auf dem Rechner selbst läuft, fügst du dort auf der Befehlszeile hinzu. Setz für die Wörter in
          Großbuchstaben deine ein.
        </Hint>
        <ul className={styles["commands"]}>
          {(["script", "unit", "command"] as const).map((kind) => (
            <CommandLine key={kind} label={driverLabels[kind]} command={addCommands[kind]} />
          ))}
        </ul>
      </Stack>
    </Disclosure>
  );
}

function CommandLine({ label, command }: { label: string; command: string }): ReactNode {
  const text = useRef<HTMLElement>(null);
  const copy = (): Promise<void> =>
    copyText(command, text.current, {
      copied: "Befehl kopiert.",
      selected: "Der Befehl ist markiert: Kopier ihn bitte von Hand.",
    });
  return (
    <Row as="li" gap={2} data-wrap="never" data-justify="between">
      <Stack gap={1}>
        <Hint as="span">{label}</Hint>
        <code ref={text} className={styles["command"]}>
          {command}
        </code>
      </Stack>
      <Button aria-label={`Befehl kopieren: ${label}`} onClick={() => void copy()}>
        <Copy size={20} />
      </Button>
    </Row>
  );
}

function textOrNull(text: string): string | null {
  return text.trim() === "" ? null : text.trim();
}

function numberOrNull(text: string): number | null {
  return text.trim() === "" ? null : Number(text);
}
