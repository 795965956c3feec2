import type { ReactNode } from "react";

import { register } from "#contract/invitations.ts";
import { call } from "#web/platform/api.ts";
import { showFlash } from "#web/platform/flash.tsx";
import { useLinkToken } from "#web/platform/link-token.ts";
import { navigate } from "#web/platform/location.ts";
import { PageLink } from "#web/platform/page-link.tsx";
import { textsOf, useForm } from "#web/platform/use-form.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/field.tsx";
import { MemberFields } from "#web/ui/member-fields.tsx";
import { Notice } from "#web/ui/notice.tsx";
import { NewPasswordFields } from "#web/ui/new-password-fields.tsx";
import { FormCard } from "#web/ui/form-card.tsx";
import { Stack } from "#web/ui/layout.tsx";

import styles from "./register-page.module.css";

export function RegisterPage(): ReactNode {
  const [invitation] = useLinkToken();
  const { errors, isPending, onSubmit } = useForm(register, async (values) => {
    const body = textsOf(values, "token", "uname", "name", "email", "password", "password_confirmation");
    await call(register, { body });
    showFlash({ type: "success", text: "Willkommen in der Runde! Jetzt kannst du dich anmelden." });
    navigate("/login");
  });
  return (
    <FormCard title="Account erstellen" below={<PageLink href="/login">Du hast schon einen? Zum Login</PageLink>}>
      <form onSubmit={onSubmit} noValidate>
        <Stack as="fieldset" disabled={isPending}>
          <TokenField key={invitation} invitation={invitation} errors={errors["token"]} />
          <MemberFields errors={errors} />
          <NewPasswordFields label="Passwort" errors={errors} />
          <Button type="submit" kind="primary" isBusy={isPending} isWide>
            Account erstellen
          </Button>
        </Stack>
      </form>
    </FormCard>
  );
}

interface TokenFieldProps {
  /** The token that the link brought along; null for none. */
  readonly invitation: string | null;
  readonly errors: readonly string[] | undefined;
}

/** Out of sight where the link has filled it, until something is wrong with it. */
function TokenField({ invitation, errors }: TokenFieldProps): ReactNode {
  const field = (
    <Field
      label="Anmelde-Token"
      name="token"
      errors={errors}
      defaultValue={invitation ?? ""}
      hint="Steht in deiner Einladung."
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      required
    />
  );
  if (invitation === null) return field;
  return (
    <details open={errors !== undefined}>
      <summary className={styles["invited"]}>
        <Notice tone="success">Deine Einladung ist dabei.</Notice>
      </summary>
      {field}
    </details>
  );
}
