import type { ReactNode } from "react";

import type { User } from "#contract/members.ts";
import { showFlash } from "#web/platform/flash.tsx";
import { textOf, useForm } from "#web/platform/use-form.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/field.tsx";

import { saveProfile } from "../queries.ts";
import styles from "./form.module.css";

/** While one form of the page saves, all of them are disabled. */
export interface SavingProps {
  readonly isSaving: boolean;
  readonly onSaving: (isSaving: boolean) => void;
}

export function AccountForm({ user, isSaving, onSaving }: SavingProps & { user: User }): ReactNode {
  const { errors, isBusy, onSubmit } = useForm(async (values) => {
    onSaving(true);
    try {
      const [uname, name, email] = ["uname", "name", "email"].map((field) => textOf(values, field));
      await saveProfile({ uname: uname!, name: name!, email: email! });
      showFlash({ type: "success", text: "Profil aktualisiert." });
    } finally {
      onSaving(false);
    }
  });
  return (
    <form onSubmit={onSubmit} noValidate aria-label="Profil">
      <fieldset className={styles["fields"]} disabled={isSaving}>
        <Field
          label="Benutzername"
          name="uname"
          defaultValue={user.uname}
          errors={errors["uname"]}
          hint="Damit loggst du dich ein."
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <Field
          label="Name"
          name="name"
          defaultValue={user.name}
          errors={errors["name"]}
          hint="So sehen dich die anderen."
          autoComplete="nickname"
          required
        />
        <Field
          label="E-Mail-Adresse"
          name="email"
          type="email"
          defaultValue={user.email}
          errors={errors["email"]}
          autoComplete="email"
          required
        />
        <Button type="submit" kind="primary" isBusy={isBusy} isWide>
          Speichern
        </Button>
      </fieldset>
    </form>
  );
}
