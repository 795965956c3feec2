import type { ReactNode } from "react";

import { Field } from "./field.tsx";

interface MemberFieldsProps {
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** What stands in them at first. */
  readonly values?: { readonly uname: string; readonly name: string; readonly email: string };
}

/** The fields of an account, for registration and profile. */
export function MemberFields({ errors, values }: MemberFieldsProps): ReactNode {
  return (
    <>
      <Field
        label="Benutzername"
        name="uname"
        defaultValue={values?.uname}
        errors={errors["uname"]}
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
        errors={errors["name"]}
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
        errors={errors["email"]}
        autoComplete="email"
        required
      />
    </>
  );
}
