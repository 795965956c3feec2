import { KeyRound, Pencil, Trash2 } from "lucide-react";
import { useId, useState, type ReactNode } from "react";

import type { Passkey } from "#contract/passkeys.ts";
import { Confirm } from "#web/forms/confirm.tsx";
import { textOf } from "#web/forms/use-form.ts";
import { canUsePasskeys } from "#web/session/passkey-support.ts";
import { DeviceItem } from "#web/shared/device-item.tsx";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/field.tsx";
import { timeAgo } from "#web/ui/german.ts";
import { Hint } from "#web/ui/hint.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { List } from "#web/ui/list.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { createPasskey, removePasskey, renamePasskey, usePasskeys } from "../queries.ts";

/** Lists the member's passkeys, with buttons to create, rename and remove them. */
export function PasskeysCard(): ReactNode {
  const heading = useId();
  const passkeys = usePasskeys();
  const [isAdding, setAdding] = useState(false);
  const [renamed, setRenamed] = useState<Passkey | null>(null);
  const [removed, setRemoved] = useState<Passkey | null>(null);
  return (
    <Stack as="section" aria-labelledby={heading}>
      <Stack gap={2}>
        <h2 id={heading}>Passkeys</h2>
        <Hint>Melde dich mit Gesicht, Finger oder PIN an. Dein Passwort gilt weiter.</Hint>
        <QueryState
          query={passkeys}
          failedText="Die Passkeys konnten gerade nicht geladen werden."
          skeleton={<Skeleton size="large" />}
        >
          {(all) => (
            <List>
              {all.map((passkey) => (
                <PasskeyItem
                  key={passkey.id}
                  passkey={passkey}
                  onRename={() => setRenamed(passkey)}
                  onRemove={() => setRemoved(passkey)}
                />
              ))}
            </List>
          )}
        </QueryState>
      </Stack>
      {canUsePasskeys() ? (
        <Button isWide onClick={() => setAdding(true)}>
          <KeyRound size={20} />
          Passkey anlegen
        </Button>
      ) : (
        <Hint>Dieser Browser kann hier keine Passkeys anlegen.</Hint>
      )}
      <NameDialog
        title="Passkey anlegen"
        isOpen={isAdding}
        action="Weiter"
        text="Wie soll er heißen? Danach fragt dich dein Gerät."
        onName={createPasskey}
        onClose={() => setAdding(false)}
      />
      <NameDialog
        title="Passkey umbenennen"
        isOpen={renamed !== null}
        action="Speichern"
        name={renamed?.name ?? ""}
        onName={(name) => renamePasskey(renamed!.id, name)}
        onClose={() => setRenamed(null)}
      />
      <Confirm
        title="Passkey entfernen"
        isOpen={removed !== null}
        action="Entfernen"
        onConfirm={() => removePasskey(removed!.id)}
        onClose={() => setRemoved(null)}
      >
        <p>Mit „{removed?.name}“ kommst du dann nicht mehr rein, mit deinem Passwort schon.</p>
      </Confirm>
    </Stack>
  );
}

interface PasskeyItemProps {
  readonly passkey: Passkey;
  readonly onRename: () => void;
  readonly onRemove: () => void;
}

function PasskeyItem({ passkey: { name, last_used_at }, onRename, onRemove }: PasskeyItemProps): ReactNode {
  const used = last_used_at === null ? "Noch nie benutzt" : `Benutzt ${timeAgo(Date.parse(last_used_at), Date.now())}`;
  return (
    <DeviceItem name={name} icon={KeyRound} detail={used}>
      <Button aria-label={`${name} umbenennen`} onClick={onRename}>
        <Pencil size={20} />
      </Button>
      <Button aria-label={`${name} entfernen`} onClick={onRemove}>
        <Trash2 size={20} />
      </Button>
    </DeviceItem>
  );
}

interface NameDialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly action: string;
  readonly text?: string;
  readonly name?: string;
  readonly onName: (name: string) => Promise<string>;
  readonly onClose: () => void;
}

function NameDialog({ title, isOpen, action, text, name = "", onName, onClose }: NameDialogProps): ReactNode {
  return (
    <Confirm
      title={title}
      isOpen={isOpen}
      action={action}
      kind="primary"
      onConfirm={(values) => onName(textOf(values, "name"))}
      onClose={onClose}
    >
      {text !== undefined && <p>{text}</p>}
      <Field
        label="Name"
        name="name"
        defaultValue={name}
        placeholder="Handy"
        maxLength={64}
        autoComplete="off"
        required
      />
    </Confirm>
  );
}
