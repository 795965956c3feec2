import type { ReactNode } from "react";

import { updateProfile as updateProfileEndpoint } from "#contract/profile.ts";
import type { User } from "#contract/members.ts";
import { showFlash } from "#web/platform/flash.tsx";
import { textsOf, useForm } from "#web/platform/use-form.ts";
import { Button } from "#web/ui/button.tsx";
import { FormErrors } from "#web/ui/field.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { MemberFields } from "#web/ui/member-fields.tsx";

import { saveProfile } from "../queries.ts";

/** While one form of the page saves, all of them are disabled. */
export interface SavingProps {
  readonly isSaving: boolean;
  readonly onSaving: (isSaving: boolean) => void;
}

export function AccountForm({ user, isSaving, onSaving }: SavingProps & { user: User }): ReactNode {
  const { errors, isPending, onSubmit } = useForm(updateProfileEndpoint, async (values) => {
    onSaving(true);
    try {
      await saveProfile(textsOf(values, "uname", "name", "email"));
      showFlash({ type: "success", text: "Profil aktualisiert." });
    } finally {
      onSaving(false);
    }
  });
  return (
    <FormErrors value={errors}>
      <form onSubmit={onSubmit} noValidate aria-label="Profil">
        <Stack as="fieldset" disabled={isSaving}>
          <MemberFields values={user} />
          <Button type="submit" kind="primary" isBusy={isPending} isWide>
            Speichern
          </Button>
        </Stack>
      </form>
    </FormErrors>
  );
}
