import { useEffect, useState, type ReactNode } from "react";

import { confirmPassword } from "#contract/profile.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";

import { call, onPasswordNeeded } from "./api.ts";
import styles from "./password-confirm.module.css";
import { useSession } from "./session.ts";
import { createStore, useStore } from "./store.ts";
import { textOf, useForm } from "./use-form.ts";

interface PasswordRequest {
  readonly answer: Promise<boolean>;
  readonly resolve: (isConfirmed: boolean) => void;
}

const pending = createStore<PasswordRequest | null>(null);

/** Calls that need the password at the same time wait for one answer. */
function requestPassword(): Promise<boolean> {
  const open = pending.get();
  if (open) return open.answer;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  pending.set({ answer: promise, resolve });
  return promise;
}

function settle(isConfirmed: boolean): void {
  pending.get()?.resolve(isConfirmed);
  pending.set(null);
}

/** The question for the current password, whichever call it was that needs it; once per page. */
export function PasswordConfirm(): ReactNode {
  const question = useStore(pending);
  const [opened, setOpened] = useState(0);
  useEffect(() => {
    onPasswordNeeded(requestPassword);
    return pending.subscribe(() => setOpened((count) => count + 1));
  }, []);
  return (
    <Dialog title="Kurz bestätigen" isOpen={question !== null} onClose={() => settle(false)}>
      <PasswordForm key={opened} />
    </Dialog>
  );
}

function PasswordForm(): ReactNode {
  const { user } = useSession();
  const { errors, isBusy, onSubmit } = useForm(async (values) => {
    await call(confirmPassword, { body: { password: textOf(values, "password") } });
    settle(true);
  });
  return (
    <form className={styles["form"]} onSubmit={onSubmit} noValidate>
      <p>Bitte bestätige dein aktuelles Passwort.</p>
      {/* Tells password managers whose password is asked for. */}
      <input type="text" name="username" autoComplete="username" value={user?.uname ?? ""} readOnly hidden />
      <fieldset disabled={isBusy}>
        <Field
          label="Aktuelles Passwort"
          name="password"
          type="password"
          errors={errors["password"]}
          autoComplete="current-password"
          required
        />
      </fieldset>
      <div className={styles["actions"]}>
        <Button onClick={() => settle(false)}>Abbrechen</Button>
        <Button type="submit" kind="primary" isBusy={isBusy}>
          Bestätigen
        </Button>
      </div>
    </form>
  );
}
