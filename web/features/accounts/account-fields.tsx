import type { ChangeEventHandler, ReactNode } from "react";

import { defaultPasswordLength } from "#contract/group-config.ts";
import { useGroup } from "#web/page/session.ts";
import { Field } from "#web/ui/field.tsx";

interface MemberFieldsProps {
  /** Values of controlled fields; `undefined` for uncontrolled fields. */
  readonly values?: { readonly uname: string; readonly name: string; readonly email: string };
  readonly onChange?: ChangeEventHandler<HTMLInputElement>;
}

export function MemberFields({ values, onChange }: MemberFieldsProps): ReactNode {
  return (
    <>
      <Field
        label="Benutzername"
        name="uname"
        value={values?.uname}
        onChange={onChange}
        hint="Damit meldest du dich an."
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <Field
        label="Name"
        name="name"
        value={values?.name}
        onChange={onChange}
        hint="So sehen dich die anderen."
        autoComplete="nickname"
        autoCapitalize="words"
        required
      />
      <Field
        label="E-Mail-Adresse"
        name="email"
        type="email"
        value={values?.email}
        onChange={onChange}
        autoComplete="email"
        required
      />
    </>
  );
}

interface NewPasswordFieldsProps {
  readonly label: string;
  /** Advice shown after the advice about the password's length. */
  readonly hint?: string;
}

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
