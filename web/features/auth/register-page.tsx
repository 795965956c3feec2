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
import { NewPasswordFields } from "#web/ui/new-password-fields.tsx";
import { FormCard } from "#web/ui/form-card.tsx";
import { Stack } from "#web/ui/layout.tsx";

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
          <Field
            label="Anmelde-Token"
            name="token"
            errors={errors["token"]}
            key={invitation}
            defaultValue={invitation ?? ""}
            hint="Steht in deiner Einladung."
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            required
          />
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
