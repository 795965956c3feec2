import type { ReactNode } from "react";

import { defaultPasswordLength } from "#contract/group-config.ts";
import { useGroup } from "#web/session/session.ts";
import { Field } from "#web/ui/field.tsx";

interface NewPasswordFieldsProps {
  readonly label: string;
  /** Advice shown after the advice about the password's length. */
  readonly hint?: string;
}

/** Fields for a new password and its confirmation; password managers recognise the pair. */
export function NewPasswordFields({ label, hint = "" }: NewPasswordFieldsProps): ReactNode {
  const { password_min_length: minLength = defaultPasswordLength } = useGroup();
  const length = minLength < 15 ? `${minLength} Zeichen, am besten 15 oder mehr` : `${minLength} Zeichen`;
  return (
    <>
      <Field
        label={label}
        name="password"
        type="password"
        hint={`Mindestens ${length}. ${hint}`.trimEnd()}
        autoComplete="new-password"
        required
      />
      <Field
        label="Passwort bestätigen"
        name="password_confirmation"
        type="password"
        autoComplete="new-password"
        required
      />
    </>
  );
}
