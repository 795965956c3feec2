import type { ReactNode } from "react";

import { Field } from "./field.tsx";

interface NewPasswordFieldsProps {
  readonly label: string;
  /** What follows on the advice about its length. */
  readonly hint?: string;
}

/** A new password and its confirmation, wherever one is chosen; password managers recognise the pair. */
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
