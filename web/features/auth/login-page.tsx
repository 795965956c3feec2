import type { ReactNode } from "react";

import { login as loginEndpoint } from "#contract/auth.ts";
import { navigate } from "#web/platform/location.ts";
import { PageLink } from "#web/platform/page-link.tsx";
import { redirectTarget } from "#web/platform/redirect-target.ts";
import { login } from "#web/platform/session.ts";
import { textOf, useForm } from "#web/platform/use-form.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { Field } from "#web/ui/field.tsx";
import { FormCard } from "#web/ui/form-card.tsx";
import { Stack } from "#web/ui/layout.tsx";

export function LoginPage(): ReactNode {
  const { errors, isPending, onSubmit } = useForm(loginEndpoint, async (values) => {
    const credentials = {
      uname: textOf(values, "uname"),
      password: textOf(values, "password"),
      rememberUser: values.has("rememberUser"),
    };
    const target = redirectTarget(location.search);
    await login(credentials, () => navigate(target, { replace: true }));
  });
  const links = (
    <>
      <PageLink href="/password-reset">Passwort vergessen?</PageLink>
      <PageLink href="/register">Account erstellen</PageLink>
    </>
  );
  return (
    <FormCard title="Login" below={links}>
      <Stack as="form" onSubmit={onSubmit} noValidate>
        <Field
          label="Benutzername"
          name="uname"
          errors={errors["uname"]}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <Field
          label="Passwort"
          name="password"
          type="password"
          errors={errors["password"]}
          autoComplete="current-password"
          required
        />
        <Checkbox label="Eingeloggt bleiben" name="rememberUser" />
        <Button type="submit" kind="primary" isBusy={isPending} isWide>
          Login
        </Button>
      </Stack>
    </FormCard>
  );
}
