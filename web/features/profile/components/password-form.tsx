import { useId, type ReactNode } from "react";

import { changePassword as changePasswordEndpoint } from "#contract/profile.ts";
import { Form } from "#web/forms/form.tsx";
import { textsOf } from "#web/forms/use-form.ts";
import { NewPasswordFields } from "#web/shared/new-password-fields.tsx";
import { showFlash } from "#web/shell/flash.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { changePassword } from "../queries.ts";
import type { SavingProps } from "./account-form.tsx";

export function PasswordForm({ isSaving, onSaving }: SavingProps): ReactNode {
  const heading = useId();
  const send = async (values: FormData, form: HTMLFormElement): Promise<void> => {
    onSaving(true);
    try {
      await changePassword(textsOf(values, "password", "password_confirmation"));
      form.reset();
      showFlash({ type: "success", text: "Passwort aktualisiert." });
    } finally {
      onSaving(false);
    }
  };
  return (
    <Stack as="section" aria-labelledby={heading}>
      <h2 id={heading}>Passwort ändern</h2>
      <Form
        endpoint={changePasswordEndpoint}
        action="Speichern"
        button={{ kind: "plain", "aria-describedby": heading }}
        onSend={send}
        isDisabled={isSaving}
        isAlwaysSent
      >
        <NewPasswordFields label="Passwort" hint="Alle anderen Geräte werden abgemeldet." />
      </Form>
    </Stack>
  );
}
