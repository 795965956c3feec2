import type { ReactNode } from "react";

import { defaultPasswordLength } from "#contract/group-config.ts";
import { registerWithOidc } from "#contract/oidc.ts";
import { changePassword, type accountFields } from "#contract/profile.ts";
import { formFor } from "#web/page/form.tsx";
import { useGroup } from "#web/page/session.ts";
import type { FieldProps } from "#web/ui/field.tsx";

export type AccountField = (typeof accountFields)[number];

// The bodies of these endpoints consist of the shared fields.
const account = formFor(registerWithOidc);
const password = formFor(changePassword);

interface MemberFieldsProps {
  readonly bind?: (name: AccountField) => Pick<FieldProps, "value" | "defaultValue" | "onChange">;
}

export function MemberFields({ bind = () => ({}) }: MemberFieldsProps): ReactNode {
  return (
    <>
      <account.Field
        {...bind("uname")}
        name="uname"
        hint="Damit meldest du dich an."
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <account.Field
        {...bind("name")}
        name="name"
        hint="So sehen dich die anderen."
        autoComplete="nickname"
        autoCapitalize="words"
        required
      />
      <account.Field {...bind("email")} name="email" type="email" autoComplete="email" required />
    </>
  );
}

interface NewPasswordFieldsProps {
  readonly label?: string;
  /** Advice that follows the one about the length. */
  readonly hint?: string;
}

export function NewPasswordFields({ label = "Passwort", hint = "" }: NewPasswordFieldsProps): ReactNode {
  const { password_min_length: minLength = defaultPasswordLength } = useGroup();
  const length = minLength < 15 ? `${minLength} Zeichen, am besten 15 oder mehr` : `${minLength} Zeichen`;
  return (
    <>
      <password.Field
        label={label}
        name="password"
        type="password"
        hint={`Mindestens ${length}. ${hint}`.trimEnd()}
        autoComplete="new-password"
        required
      />
      <password.Field name="password_confirmation" type="password" autoComplete="new-password" required />
    </>
  );
}
