import { useId, useState, type ReactNode } from "react";

import { showFlash } from "#web/platform/flash.tsx";
import { textOf, useForm } from "#web/platform/use-form.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/field.tsx";

import { changePassword } from "../queries.ts";
import type { SavingProps } from "./account-form.tsx";
import styles from "./form.module.css";

export function PasswordForm({ isSaving, onSaving }: SavingProps): ReactNode {
  const heading = useId();
  // A saved password leaves empty fields behind.
  const [saved, setSaved] = useState(0);
  const { errors, isBusy, onSubmit } = useForm(async (values) => {
    onSaving(true);
    try {
      const [password, confirmation] = ["password", "password_confirmation"].map((field) => textOf(values, field));
      await changePassword({ password: password!, password_confirmation: confirmation! });
      setSaved((count) => count + 1);
      showFlash({ type: "success", text: "Passwort aktualisiert." });
    } finally {
      onSaving(false);
    }
  });
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading} className={styles["title"]}>
        Passwort ändern
      </h2>
      <form key={saved} onSubmit={onSubmit} noValidate>
        <fieldset className={styles["fields"]} disabled={isSaving}>
          <Field
            label="Passwort"
            name="password"
            type="password"
            errors={errors["password"]}
            hint="Am besten 15 Zeichen oder mehr. Alle anderen Geräte werden abgemeldet."
            autoComplete="new-password"
            required
          />
          <Field
            label="Passwort bestätigen"
            name="password_confirmation"
            type="password"
            errors={errors["password_confirmation"]}
            autoComplete="new-password"
            required
          />
          <Button type="submit" kind="primary" isBusy={isBusy} isWide>
            Speichern
          </Button>
        </fieldset>
      </form>
    </section>
  );
}
