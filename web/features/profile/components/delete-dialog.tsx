import { useState, type ReactNode } from "react";

import { deleteAccount as deleteAccountEndpoint } from "#contract/account.ts";
import type { BeersOnDeletion } from "#contract/account.ts";
import type { User } from "#contract/members.ts";
import { showFlash } from "#web/platform/flash.tsx";
import { textOf, useForm } from "#web/platform/use-form.ts";
import { describeEndingLinks } from "#web/ui/access-links.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";

import { deleteAccount, useOwnAccessLinks } from "../queries.ts";
import styles from "./delete-dialog.module.css";

interface DeleteDialogProps {
  readonly user: User;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The last question before an account is gone. */
export function DeleteDialog({ user, isOpen, onClose }: DeleteDialogProps): ReactNode {
  return (
    <Dialog title="Konto löschen" isOpen={isOpen} onClose={onClose}>
      <DeleteForm user={user} onClose={onClose} />
    </Dialog>
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

function DeleteForm({ user, onClose }: Omit<DeleteDialogProps, "isOpen">): ReactNode {
  const [beers, setBeers] = useState<BeersOnDeletion>("keep");
  const { errors, isPending, onSubmit } = useForm(deleteAccountEndpoint, async (values) => {
    const [uname, password] = ["uname", "password"].map((field) => textOf(values, field));
    showFlash({ type: "info", text: await deleteAccount({ uname: uname!, password: password!, beers }) });
  });
  const links = useOwnAccessLinks(user);
  const ending = links && describeEndingLinks(links, "dir");
  return (
    <form className={styles["form"]} onSubmit={onSubmit} noValidate>
      <p>
        Dein Profil, deine Bilder, deine geöffneten Türchen und alle Anmeldungen werden sofort gelöscht.{" "}
        <strong>Das lässt sich nicht rückgängig machen.</strong>
      </p>
      {ending !== null && <p>{ending}</p>}
      <fieldset className={styles["choices"]} disabled={isPending}>
        <legend className={styles["legend"]}>Was wird aus deinen Bieren?</legend>
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
            <span className={styles["hint"]}>{hint}</span>
          </label>
        ))}
      </fieldset>
      <fieldset className={styles["fields"]} disabled={isPending}>
        <Field
          label="Zur Sicherheit: dein Benutzername"
          name="uname"
          placeholder={user.uname}
          errors={errors["uname"]}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <Field
          label="Dein Passwort"
          name="password"
          type="password"
          errors={errors["password"]}
          autoComplete="current-password"
          required
        />
      </fieldset>
      <div className={styles["actions"]}>
        <Button disabled={isPending} onClick={onClose}>
          Abbrechen
        </Button>
        <Button type="submit" kind="danger" isBusy={isPending}>
          Endgültig löschen
        </Button>
      </div>
    </form>
  );
}
