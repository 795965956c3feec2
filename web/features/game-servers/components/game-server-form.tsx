import { Trash2 } from "lucide-react";
import { useState, type ReactNode } from "react";

import {
  addGameServer,
  changeGameServer,
  gameServerLimits,
  queryKinds,
  removeGameServer,
  type ManagedGameServer,
} from "#contract/game-servers.ts";
import { ConfirmStep } from "#web/forms/confirm.tsx";
import { textOf } from "#web/forms/use-form.ts";
import { change } from "#web/shared/admin/queries.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/field.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { TwoColumns } from "#web/ui/layout.tsx";
import { Select } from "#web/ui/select.tsx";
import { driverLabels, numberOrNull, queryLabels, textOrNull } from "../admin-rules.ts";

interface GameServerFormProps {
  /** The edited game server; `null` for a new one. */
  readonly server: ManagedGameServer | null;
  readonly onClose: () => void;
}

/** Form that adds, changes or removes a game server. */
export function GameServerForm({ server, onClose }: GameServerFormProps): ReactNode {
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
