import { startTransition, useState, type ReactNode } from "react";

import type { User } from "#contract/members.ts";
import { accountFields, updateProfile } from "#contract/profile.ts";
import { showFlash } from "#web/platform/flash.tsx";
import { Form } from "#web/platform/form.tsx";
import { textsOf } from "#web/platform/use-form.ts";
import { MemberFields } from "#web/ui/member-fields.tsx";
import { saveProfile } from "../queries.ts";

/** While one form of the page saves, all of them are disabled. */
export interface SavingProps {
  readonly isSaving: boolean;
  readonly onSaving: (isSaving: boolean) => void;
}

export function AccountForm({ user, isSaving, onSaving }: SavingProps & { user: User }): ReactNode {
  const [typed, setTyped] = useState<Partial<User>>({});
  const send = async (values: FormData): Promise<void> => {
    onSaving(true);
    try {
      const texts = textsOf(values, ...accountFields);
      await saveProfile({ ...texts, changed: accountFields.filter((name) => texts[name] !== user[name]) });
      // With the member's new values, which come as a transition: before them the old ones would be seen for a moment.
      startTransition(() => setTyped({}));
      showFlash({ type: "success", text: "Profil aktualisiert." });
    } finally {
      onSaving(false);
    }
  };
  return (
    <Form endpoint={updateProfile} action="Speichern" onSend={send} label="Profil" isDisabled={isSaving}>
      <MemberFields
        values={{ ...user, ...typed }}
        onChange={({ target }) => setTyped({ ...typed, [target.name]: target.value })}
      />
    </Form>
  );
}
