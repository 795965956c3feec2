import type { ReactNode } from "react";

import { Field } from "./field.tsx";

interface MemberFieldsProps {
  /** What stands in them at first. */
  readonly values?: { readonly uname: string; readonly name: string; readonly email: string };
}

/** The fields of an account, for registration and profile. */
export function MemberFields({ values }: MemberFieldsProps): ReactNode {
  return (
    <>
      <Field
        label="Benutzername"
        name="uname"
        defaultValue={values?.uname}
        hint="Damit meldest du dich an."
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <Field
        label="Name"
        name="name"
        defaultValue={values?.name}
        hint="So sehen dich die anderen."
        autoComplete="nickname"
        autoCapitalize="words"
        required
      />
      <Field
        label="E-Mail-Adresse"
        name="email"
        type="email"
        defaultValue={values?.email}
        autoComplete="email"
        required
      />
    </>
  );
}
