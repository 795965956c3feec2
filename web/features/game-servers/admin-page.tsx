import { useMutation, useQuery } from "@tanstack/react-query";
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
import { useAdminCall } from "#web/admin/api.ts";
import { EntityDialog } from "#web/admin/dialogs.tsx";
import { call } from "#web/client/api.ts";
import { replyOptions } from "#web/client/queries.ts";
import { ConfirmStep } from "#web/page/confirm.tsx";
import { formFor } from "#web/page/form.tsx";
import { showMessage } from "#web/page/messages.tsx";
import { copyText } from "#web/page/share-link.tsx";
import { Button } from "#web/ui/button.tsx";
import { Row, Stack, TwoColumns } from "#web/ui/layout.tsx";
import { Badge, Badges, EntityList, EntityItem, List } from "#web/ui/list.tsx";
import { Disclosure, Hint } from "#web/ui/text.tsx";
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
  const servers = useQuery(replyOptions(getManagedGameServers));
  // Appears with the list above, which would shift it.
  const isListed = useDeferredValue(servers.data !== undefined);
  const [edited, setEdited] = useState<ManagedGameServer | "new" | null>(null);
  const adminCall = useAdminCall();
  const order = useMutation({
    mutationFn: async (ids: number[]) => void (await adminCall(orderGameServers, { body: { ids } })),
  });
  // A late reply does not close another dialog.
  const close = (server: ManagedGameServer | "new"): void => setEdited((now) => (now === server ? null : now));
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
                onMove={(by) => order.mutate(moveItem(all, index, by).map(({ id }) => id))}
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
        {(server) =>
          server === "new" ? (
            <AdditionForm onClose={() => close(server)} />
          ) : (
            <SettingsForm server={server} onClose={() => close(server)} />
          )
        }
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
  const test = useMutation({
    mutationFn: () => call(testGameServer, { params: { id: server.id } }),
    onSuccess: ({ ok, message }) => showMessage({ type: ok ? "success" : "error", text: message }),
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
        <Button isBusy={test.isPending} aria-label={`Verbindung testen: ${name}`} onClick={() => test.mutate()}>
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

const addition = formFor(addGameServer);

function AdditionForm({ onClose }: { onClose: () => void }): ReactNode {
  const adminCall = useAdminCall();
  return (
    <addition.DialogForm
      action="Hinzufügen"
      readMore={readEmptyFields}
      onSend={async (body) => {
        const { message } = await adminCall(addGameServer, { body });
        onClose();
        return message;
      }}
      onClose={onClose}
    >
      <SettingsFields>
        <addition.Field
          name="ref"
          hint="Das Spiel als Paket, das in Docker oder Podman läuft: sein Name dort. Es muss ihn schon geben."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
      </SettingsFields>
    </addition.DialogForm>
  );
}

const settings = formFor(changeGameServer);

interface SettingsFormProps {
  readonly server: ManagedGameServer;
  readonly onClose: () => void;
}

function SettingsForm({ server, onClose }: SettingsFormProps): ReactNode {
  const { driver, ref } = server;
  const params = { id: server.id };
  const [isRemoving, setRemoving] = useState(false);
  const adminCall = useAdminCall();
  if (isRemoving) {
    return (
      <ConfirmStep
        action="Entfernen"
        onConfirm={async () => {
          const { message } = await adminCall(removeGameServer, { params });
          onClose();
          return message;
        }}
        onClose={() => setRemoving(false)}
      >
        <p>Der Server verschwindet aus der Liste. Was läuft, läuft weiter, und gelöscht wird nichts.</p>
      </ConfirmStep>
    );
  }
  const remove = (
    <Button kind="danger" onClick={() => setRemoving(true)}>
      <Trash2 size={20} />
      Entfernen …
    </Button>
  );
  return (
    <settings.DialogForm
      action="Speichern"
      readMore={readEmptyFields}
      onSend={async (body) => {
        const { message } = await adminCall(changeGameServer, { params, body });
        onClose();
        return message;
      }}
      onClose={onClose}
      otherAction={remove}
    >
      <SettingsFields server={server}>
        <Hint>
          {driverLabels[driver]}
          {ref === null ? ", auf der Befehlszeile eingerichtet" : `: ${ref}`}
        </Hint>
      </SettingsFields>
    </settings.DialogForm>
  );
}

/** Reads an empty field as not set. */
function readEmptyFields(values: FormData): { address?: null; grace?: null; idle_stop?: null } {
  const names = ["address", "grace", "idle_stop"] as const;
  return Object.fromEntries(names.filter((name) => values.get(name) === "").map((name) => [name, null]));
}

function SettingsFields({ server, children }: { server?: ManagedGameServer; children: ReactNode }): ReactNode {
  return (
    <>
      <settings.Field
        name="display_name"
        defaultValue={server?.display_name}
        hint="So steht er in der Liste."
        autoComplete="off"
        required
      />
      {children}
      <settings.Field
        name="address"
        defaultValue={server?.address ?? ""}
        placeholder="spiel.example.org:25565"
        hint="Damit verbinden sich alle. Darf leer bleiben."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <settings.Select
        label="Spieler zählen"
        name="query"
        defaultValue={server?.query ?? "none"}
        options={queryKinds.map((kind) => ({ value: kind, label: queryLabels[kind] }))}
      />
      <TwoColumns>
        <settings.Field
          label="Frist beim Herunterfahren (Sek.)"
          name="grace"
          type="number"
          inputMode="numeric"
          {...gameServerLimits.grace}
          defaultValue={server?.grace ?? ""}
          hint="Leer: wie üblich."
        />
        <settings.Field
          label="Nach wie vielen Minuten ohne Spieler ausschalten?"
          name="idle_stop"
          type="number"
          inputMode="numeric"
          {...gameServerLimits.idleStop}
          defaultValue={server?.idle_stop ?? ""}
          hint="Leer: nie von selbst."
        />
      </TwoColumns>
    </>
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
