import { useState, type ReactNode } from "react";

import { deleteAccount as deleteAccountEndpoint, type BeersOnDeletion } from "#contract/account.ts";
import type { User } from "#contract/members.ts";
import { Confirm } from "#web/forms/confirm.tsx";
import { textsOf } from "#web/forms/use-form.ts";
import { describeEndingLinks } from "#web/shared/access-links.ts";
import { showFlash } from "#web/shell/flash.tsx";
import { Field } from "#web/ui/field.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { deleteAccount, useOwnAccessLinks } from "../queries.ts";
import styles from "./delete-dialog.module.css";

interface DeleteDialogProps {
  readonly user: User;
  /** `false` if the member confirms with a passkey or at the OpenID provider. */
  readonly needsPassword: boolean;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks the member to confirm the permanent deletion of the account. */
export function DeleteDialog({ user, needsPassword, isOpen, onClose }: DeleteDialogProps): ReactNode {
  const [beers, setBeers] = useState<BeersOnDeletion>("keep");
  const links = useOwnAccessLinks(user, isOpen);
  const ending = links && describeEndingLinks(links, "dir");
  const close = (): void => {
    setBeers("keep");
    onClose();
  };
  return (
    <Confirm
      endpoint={deleteAccountEndpoint}
      title="Account löschen"
      isOpen={isOpen}
      action="Endgültig löschen"
      // Without the password field, the deletion request asks for a passkey or a login with OpenID.
      passwordLabel={needsPassword ? "Dein Passwort" : undefined}
      onConfirm={async (values) => {
        const proof = needsPassword ? textsOf(values, "password") : {};
        const text = await deleteAccount({ ...textsOf(values, "uname"), ...proof, beers });
        showFlash({ type: "info", text });
      }}
      onClose={close}
    >
      <p>
        Dein Profil, deine Bilder, deine geöffneten Türchen und alle Anmeldungen werden sofort gelöscht.{" "}
        <strong>Das lässt sich nicht rückgängig machen.</strong>
      </p>
      {ending !== null && <p>{ending}</p>}
      <Stack as="fieldset" gap={2}>
        <legend>Was wird aus deinen Bieren?</legend>
        {choices.map(([value, title, hint]) => (
          <label key={value} className={styles["choice"]}>
            <input
              type="radio"
              name="beers"
              className={styles["radio"]}
              checked={beers === value}
              onChange={() => setBeers(value)}
            />
            {title}
            <Hint as="span" className={styles["hint"]}>
              {hint}
            </Hint>
          </label>
        ))}
      </Stack>
      <Field
        label="Zur Sicherheit: dein Benutzername"
        name="uname"
        placeholder={user.uname}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
    </Confirm>
  );
}

const choices: readonly [value: BeersOnDeletion, title: string, hint: string][] = [
  [
    "keep",
    "Meine Biere bleiben im Zähler",
    "Sie zählen weiter für die Gruppe, als „Ehemaliges Mitglied“ und ohne deinen Namen.",
  ],
  ["remove", "Meine Biere verschwinden", "Der Zähler und alle Diagramme werden um deine Biere kleiner."],
];
