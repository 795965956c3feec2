import { useEffect, type ReactNode } from "react";

import { confirmPassword } from "#contract/profile.ts";

import { call, onPasswordNeeded } from "./api.ts";
import { Confirm } from "./confirm.tsx";
import { useSession } from "./session.ts";
import { createStore, useStore } from "./store.ts";
import { textOf } from "./use-form.ts";

const pending = createStore<PromiseWithResolvers<boolean> | null>(null);

/** Calls that need the password at the same time wait for one answer. */
function requestPassword(): Promise<boolean> {
  const open = pending.get() ?? Promise.withResolvers<boolean>();
  pending.set(open);
  return open.promise;
}

function close(isConfirmed: boolean): void {
  pending.get()?.resolve(isConfirmed);
  pending.set(null);
}

/** Asks for the current password on behalf of any call that needs it; once per page. */
export function PasswordConfirm(): ReactNode {
  const { user } = useSession();
  const isOpen = useStore(pending) !== null;
  useEffect(() => onPasswordNeeded(requestPassword), []);
  return (
    <Confirm
      title="Kurz bestätigen"
      isOpen={isOpen}
      action="Bestätigen"
      kind="primary"
      passwordLabel="Aktuelles Passwort"
      onConfirm={async (values) => {
        await call(confirmPassword, { body: { password: textOf(values, "password") } });
        close(true);
      }}
      onClose={() => close(false)}
    >
      <p>Bitte bestätige dein aktuelles Passwort.</p>
      {/* Tells password managers whose password is asked for. */}
      <input type="text" name="username" autoComplete="username" value={user?.uname ?? ""} readOnly hidden />
    </Confirm>
  );
}
