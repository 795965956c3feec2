import { useState, type ReactNode } from "react";

import type { User } from "#contract/members.ts";
import { accountFields, updateProfile } from "#contract/profile.ts";
import { Form } from "#web/forms/form.tsx";
import { textsOf } from "#web/forms/use-form.ts";
import { useCurrentMember } from "#web/session/session.ts";
import { MemberFields } from "#web/shared/member-fields.tsx";
import { showFlash } from "#web/shell/flash.tsx";
import { saveProfile } from "../queries.ts";

/**
 * Saving state shared by all forms of the profile page: while one form saves, the others are
 * disabled.
 */
export interface SavingProps {
  readonly isSaving: boolean;
  readonly onSaving: (isSaving: boolean) => void;
}

export function AccountForm({ user, isSaving, onSaving }: SavingProps & { user: User }): ReactNode {
  const member = useCurrentMember(user);
  const [typed, setTyped] = useState<Partial<User>>({});
  const send = async (values: FormData): Promise<void> => {
    onSaving(true);
    try {
      const texts = textsOf(values, ...accountFields);
      await saveProfile({ ...texts, changed: accountFields.filter((name) => texts[name] !== member[name]) });
      setTyped({});
      showFlash({ type: "success", text: "Profil aktualisiert." });
    } finally {
      onSaving(false);
    }
  };
  return (
    <Form endpoint={updateProfile} action="Speichern" onSend={send} label="Profil" isDisabled={isSaving}>
      <MemberFields
        values={{ ...member, ...typed }}
        onChange={({ target }) => setTyped({ ...typed, [target.name]: target.value })}
      />
    </Form>
  );
}
