import { useId, useState, type ReactNode } from "react";

import { changePassword as changePasswordEndpoint } from "#contract/profile.ts";
import { showFlash } from "#web/platform/flash.tsx";
import { textsOf, useForm } from "#web/platform/use-form.ts";
import { Button } from "#web/ui/button.tsx";
import { FormErrors } from "#web/ui/field.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { NewPasswordFields } from "#web/ui/new-password-fields.tsx";

import { changePassword } from "../queries.ts";
import type { SavingProps } from "./account-form.tsx";

export function PasswordForm({ isSaving, onSaving }: SavingProps): ReactNode {
  const heading = useId();
  // A saved password leaves empty fields behind.
  const [saved, setSaved] = useState(0);
  const { errors, isPending, onSubmit } = useForm(changePasswordEndpoint, async (values) => {
    onSaving(true);
    try {
      await changePassword(textsOf(values, "password", "password_confirmation"));
      setSaved((count) => count + 1);
      showFlash({ type: "success", text: "Passwort aktualisiert." });
    } finally {
      onSaving(false);
    }
  });
  return (
    <Stack as="section" aria-labelledby={heading}>
      <h2 id={heading}>Passwort ändern</h2>
      <FormErrors value={errors}>
        <form key={saved} onSubmit={onSubmit} noValidate>
          <Stack as="fieldset" disabled={isSaving}>
            <NewPasswordFields label="Passwort" hint="Alle anderen Geräte werden abgemeldet." />
            <Button type="submit" aria-describedby={heading} isBusy={isPending} isWide>
              Speichern
            </Button>
          </Stack>
        </form>
      </FormErrors>
    </Stack>
  );
}
