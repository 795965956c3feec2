import { useId, useState, type ReactNode } from "react";

import { changePassword as changePasswordEndpoint } from "#contract/profile.ts";
import { showFlash } from "#web/platform/flash.tsx";
import { Form } from "#web/platform/form.tsx";
import { textsOf } from "#web/platform/use-form.ts";
import { Stack } from "#web/ui/layout.tsx";
import { NewPasswordFields } from "#web/ui/new-password-fields.tsx";
import { changePassword } from "../queries.ts";
import type { SavingProps } from "./account-form.tsx";

export function PasswordForm({ isSaving, onSaving }: SavingProps): ReactNode {
  const heading = useId();
  // A saved password leaves empty fields behind.
  const [saved, setSaved] = useState(0);
  const send = async (values: FormData): Promise<void> => {
    onSaving(true);
    try {
      await changePassword(textsOf(values, "password", "password_confirmation"));
      setSaved((count) => count + 1);
      showFlash({ type: "success", text: "Passwort aktualisiert." });
    } finally {
      onSaving(false);
    }
  };
  return (
    <Stack as="section" aria-labelledby={heading}>
      <h2 id={heading}>Passwort ändern</h2>
      <Form
        key={saved}
        endpoint={changePasswordEndpoint}
        action="Speichern"
        button={{ kind: "plain", "aria-describedby": heading }}
        onSend={send}
        isDisabled={isSaving}
      >
        <NewPasswordFields label="Passwort" hint="Alle anderen Geräte werden abgemeldet." />
      </Form>
    </Stack>
  );
}
