import { Trash2 } from "lucide-react";
import { useState, type ReactNode } from "react";

import {
  gameServerLimits,
  queryKinds,
  type ManagedGameServer,
  addGameServer as addGameServerEndpoint,
} from "#contract/admin-game-servers.ts";
import { showFlash } from "#web/platform/flash.tsx";
import { useMutation } from "#web/platform/use-mutation.ts";
import { textOf, useForm } from "#web/platform/use-form.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";
import { Select } from "#web/ui/select.tsx";

import { addGameServer, changeGameServer, removeGameServer } from "../queries.ts";
import { driverLabels, numberOrNull, queryLabels, textOrNull } from "../rules.ts";
import styles from "./list.module.css";

interface GameServerDialogProps {
  /** Null: closed. */
  readonly edited: ManagedGameServer | "new" | null;
  readonly onClose: () => void;
}

/** Adds a server, or changes and forgets one. */
export function GameServerDialog({ edited, onClose }: GameServerDialogProps): ReactNode {
  const title = edited === "new" ? "Game-Server hinzufügen" : (edited?.display_name ?? "");
  return (
    <Dialog title={title} isOpen={edited !== null} onClose={onClose}>
      {edited !== null && <GameServerContent server={edited === "new" ? null : edited} onClose={onClose} />}
    </Dialog>
  );
}

interface SheetProps {
  /** Null: a new one. */
  readonly server: ManagedGameServer | null;
  readonly onClose: () => void;
}

function GameServerContent({ server, onClose }: SheetProps): ReactNode {
  const [isAsking, setAsking] = useState(false);
  if (server && isAsking) return <Removal server={server} onClose={onClose} onCancel={() => setAsking(false)} />;
  return <SettingsForm server={server} onClose={onClose} onRemove={() => setAsking(true)} />;
}

function Removal({
  server,
  onClose,
  onCancel,
}: {
  server: ManagedGameServer;
  onClose: () => void;
  onCancel: () => void;
}): ReactNode {
  const { run, pending } = useMutation(removeGameServer);
  const remove = async (): Promise<void> => {
    if (await run(server.id)) onClose();
  };
  return (
    <div className={styles["form"]}>
      <p>Der Server verschwindet aus der Liste. Was läuft, läuft weiter, und gelöscht wird nichts.</p>
      <div className={styles["ends"]}>
        <Button disabled={pending !== null} onClick={onCancel}>
          Abbrechen
        </Button>
        <Button kind="danger" isBusy={pending !== null} onClick={() => void remove()}>
          Entfernen
        </Button>
      </div>
    </div>
  );
}

function SettingsForm({ server, onClose, onRemove }: SheetProps & { onRemove: () => void }): ReactNode {
  const { errors, isPending, onSubmit } = useForm(addGameServerEndpoint, async (values) => {
    const text = (name: string) => textOf(values, name);
    const settings = {
      display_name: text("display_name"),
      address: textOrNull(text("address")),
      query: queryKinds.find((kind) => kind === text("query")) ?? "none",
      grace: numberOrNull(text("grace")),
      idle_stop: numberOrNull(text("idle_stop")),
    };
    const message = await (server
      ? changeGameServer(server.id, settings)
      : addGameServer({ ref: text("ref"), ...settings }));
    showFlash({ type: "success", text: message });
    onClose();
  });
  const { grace, idleStop } = gameServerLimits;
  return (
    <form className={styles["form"]} onSubmit={onSubmit} noValidate>
      <fieldset className={styles["fields"]} disabled={isPending}>
        <Field
          label="Name"
          name="display_name"
          defaultValue={server?.display_name}
          errors={errors["display_name"]}
          hint="So steht er in der Liste."
          autoComplete="off"
          required
        />
        {server === null ? (
          <Field
            label="Container"
            name="ref"
            errors={errors["ref"]}
            hint="So heißt er bei Docker oder Podman. Es muss ihn schon geben."
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
          />
        ) : (
          <p className={styles["soft"]}>
            {driverLabels[server.driver]}
            {server.ref === null ? ", auf der Befehlszeile eingerichtet" : `: ${server.ref}`}
          </p>
        )}
        <Field
          label="Adresse"
          name="address"
          defaultValue={server?.address ?? ""}
          errors={errors["address"]}
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
          errors={errors["query"]}
          options={queryKinds.map((kind) => ({ value: kind, label: queryLabels[kind] }))}
        />
        <div className={`${styles["pair"]} ${styles["stack"]}`}>
          <Field
            label="Frist beim Herunterfahren (Sek.)"
            name="grace"
            type="number"
            inputMode="numeric"
            {...grace}
            defaultValue={server?.grace ?? ""}
            errors={errors["grace"]}
            hint="Leer: wie üblich."
          />
          <Field
            label="Aus nach Minuten ohne Spieler"
            name="idle_stop"
            type="number"
            inputMode="numeric"
            {...idleStop}
            defaultValue={server?.idle_stop ?? ""}
            errors={errors["idle_stop"]}
            hint="Leer: nie von selbst."
          />
        </div>
      </fieldset>
      <div className={styles["ends"]}>
        {server !== null && (
          <Button kind="danger" disabled={isPending} onClick={onRemove}>
            <Trash2 size={20} aria-hidden="true" />
            Entfernen …
          </Button>
        )}
        <Button disabled={isPending} onClick={onClose}>
          Abbrechen
        </Button>
        <Button type="submit" kind="primary" isBusy={isPending}>
          {server === null ? "Hinzufügen" : "Speichern"}
        </Button>
      </div>
    </form>
  );
}
