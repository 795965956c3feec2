import type { ReactNode } from "react";

import { Field } from "./field.tsx";

interface NewPasswordFieldsProps {
  readonly label: string;
  /** Advice shown after the advice about the password's length. */
  readonly hint?: string;
}

/** Fields for a new password and its confirmation; password managers recognise the pair. */
export function NewPasswordFields({ label, hint = "" }: NewPasswordFieldsProps): ReactNode {
  return (
    <>
      <Field
        label={label}
        name="password"
        type="password"
        hint={`Am besten 15 Zeichen oder mehr. ${hint}`.trimEnd()}
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
