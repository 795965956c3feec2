import { KeyRound, Pencil, Trash2 } from "lucide-react";
import { useId, useState, type ReactNode } from "react";

import type { Passkey } from "#contract/passkeys.ts";
import { Confirm } from "#web/platform/confirm.tsx";
import { canUsePasskeys } from "#web/platform/passkey-support.ts";
import { textOf } from "#web/platform/use-form.ts";
import { Button } from "#web/ui/button.tsx";
import { DeviceLine } from "#web/ui/device-line.tsx";
import { Field } from "#web/ui/field.tsx";
import { timeAgo } from "#web/ui/german.ts";
import { Hint } from "#web/ui/hint.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { Lines } from "#web/ui/lines.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { createPasskey, removePasskey, renamePasskey, usePasskeys } from "../queries.ts";

type Step = { readonly kind: "rename" | "remove"; readonly passkey: Passkey } | { readonly kind: "add" };

/** The passkeys with which one logs in without the password. */
export function PasskeysCard(): ReactNode {
  const heading = useId();
  const passkeys = usePasskeys();
  const [step, setStep] = useState<Step | null>(null);
  const close = (): void => setStep(null);
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
            <Lines>
              {all.map((passkey) => (
                <PasskeyLine key={passkey.id} passkey={passkey} onStep={(kind) => setStep({ kind, passkey })} />
              ))}
            </Lines>
          )}
        </QueryState>
      </Stack>
      {canUsePasskeys() ? (
        <Button isWide onClick={() => setStep({ kind: "add" })}>
          <KeyRound size={20} />
          Passkey anlegen
        </Button>
      ) : (
        <Hint>Dieser Browser kann hier keine Passkeys anlegen.</Hint>
      )}
      <NameDialog
        title="Passkey anlegen"
        isOpen={step?.kind === "add"}
        action="Weiter"
        text="Wie soll er heißen? Danach fragt dich dein Gerät."
        onName={createPasskey}
        onClose={close}
      />
      <NameDialog
        title="Passkey umbenennen"
        isOpen={step?.kind === "rename"}
        action="Speichern"
        name={step?.kind === "rename" ? step.passkey.name : ""}
        onName={(name) => renamePasskey(step?.kind === "rename" ? step.passkey.id : 0, name)}
        onClose={close}
      />
      <Confirm
        title="Passkey entfernen"
        isOpen={step?.kind === "remove"}
        action="Entfernen"
        onConfirm={() => removePasskey(step?.kind === "remove" ? step.passkey.id : 0)}
        onClose={close}
      >
        <p>
          Mit „{step?.kind === "remove" && step.passkey.name}“ kommst du dann nicht mehr rein, mit deinem Passwort
          schon.
        </p>
      </Confirm>
    </Stack>
  );
}

function PasskeyLine({
  passkey: { name, last_used_at },
  onStep,
}: {
  passkey: Passkey;
  onStep: (kind: "rename" | "remove") => void;
}): ReactNode {
  const used = last_used_at === null ? "Noch nie benutzt" : `Benutzt ${timeAgo(Date.parse(last_used_at), Date.now())}`;
  return (
    <DeviceLine name={name} icon={KeyRound} detail={used}>
      <Button aria-label={`${name} umbenennen`} onClick={() => onStep("rename")}>
        <Pencil size={20} />
      </Button>
      <Button aria-label={`${name} entfernen`} onClick={() => onStep("remove")}>
        <Trash2 size={20} />
      </Button>
    </DeviceLine>
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
