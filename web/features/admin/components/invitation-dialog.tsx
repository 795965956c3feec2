import { useState, type ReactNode } from "react";

import {
  invitationDays,
  invitationUses,
  makeInvitation as makeInvitationEndpoint,
} from "#contract/admin-invitations.ts";
import type { Permission } from "#contract/endpoint.ts";
import { textOf, useForm } from "#web/platform/use-form.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";

import { createInvitation, type OneTimeLink } from "../queries.ts";
import { formatDateTime } from "../rules.ts";
import styles from "./list.module.css";
import { PermissionSwitches } from "./permission-switches.tsx";
import { ShareLink } from "./share-link.tsx";

interface InvitationDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Makes an invitation and shows its link, once. */
export function InvitationDialog({ isOpen, onClose }: InvitationDialogProps): ReactNode {
  return (
    <Dialog title="Einladen" isOpen={isOpen} onClose={onClose}>
      <InvitationForm onClose={onClose} />
    </Dialog>
  );
}

function InvitationForm({ onClose }: { onClose: () => void }): ReactNode {
  const [made, setMade] = useState<(OneTimeLink & { uses: number }) | null>(null);
  const [held, setHeld] = useState<Permission[]>([]);
  const { errors, isPending, onSubmit } = useForm(makeInvitationEndpoint, async (values) => {
    const [days, uses] = ["days", "uses"].map((field) => Number(textOf(values, field)));
    setMade({ ...(await createInvitation({ permissions: held, days: days!, uses: uses! })), uses: uses! });
  });
  if (made) {
    return (
      <ShareLink url={made.url} title="Einladung" onClose={onClose}>
        <p>
          Gilt {made.uses === 1 ? "für eine Person" : `für ${made.uses} Personen`} bis {formatDateTime(made.expires_at)}
          . Der Link wird nur jetzt gezeigt.
        </p>
      </ShareLink>
    );
  }
  return (
    <form className={styles["form"]} onSubmit={onSubmit} noValidate>
      <fieldset className={styles["pair"]} disabled={isPending}>
        <Count label="Für wie viele?" name="uses" limits={invitationUses} errors={errors["uses"]} />
        <Count label="Tage gültig" name="days" limits={invitationDays} errors={errors["days"]} />
      </fieldset>
      <PermissionSwitches legend="Rechte von Anfang an" held={held} disabled={isPending} onChange={setHeld} />
      <div className={styles["ends"]}>
        <Button disabled={isPending} onClick={onClose}>
          Abbrechen
        </Button>
        <Button type="submit" kind="primary" isBusy={isPending}>
          Link machen
        </Button>
      </div>
    </form>
  );
}

interface CountProps {
  readonly label: string;
  readonly name: string;
  readonly limits: { readonly usual: number; readonly min: number; readonly max: number };
  readonly errors: readonly string[] | undefined;
}

function Count({ label, name, limits: { usual, min, max }, errors }: CountProps): ReactNode {
  return (
    <Field
      label={label}
      name={name}
      type="number"
      inputMode="numeric"
      min={min}
      max={max}
      defaultValue={usual}
      errors={errors}
      required
    />
  );
}
