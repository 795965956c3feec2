import type { ChangeEventHandler, ReactNode } from "react";

import { Field } from "#web/ui/field.tsx";

interface MemberFieldsProps {
  /** Values of controlled fields; `undefined` for uncontrolled fields. */
  readonly values?: { readonly uname: string; readonly name: string; readonly email: string };
  readonly onChange?: ChangeEventHandler<HTMLInputElement>;
}

/** The name and email fields of an account, for registration and profile. */
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
