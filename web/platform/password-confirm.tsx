import { KeyRound } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";

import { confirmPassword } from "#contract/confirm-password.ts";
import { Button } from "#web/ui/button.tsx";
import { call, onConfirmationNeeded } from "./api.ts";
import { Confirm } from "./confirm.tsx";
import { loadPasskeys } from "./load-passkeys.ts";
import { navigate } from "./location.ts";
import { canUsePasskeys } from "./passkey-support.ts";
import { useSession } from "./session.ts";
import { createStore, useStore } from "./store.ts";
import { useAction } from "./use-action.ts";
import { textOf } from "./use-form.ts";

interface Request extends PromiseWithResolvers<boolean> {
  /** Whether only a passkey confirms. */
  readonly needsPasskey: boolean;
}

const pending = createStore<Request | null>(null);

/** Calls that need a confirmation at the same time wait for one answer. */
function requestConfirmation(needsPasskey: boolean): Promise<boolean> {
  const open = pending.get() ?? { ...Promise.withResolvers<boolean>(), needsPasskey };
  pending.set(open);
  return open.promise;
}

function close(isConfirmed: boolean): void {
  pending.get()?.resolve(isConfirmed);
  pending.set(null);
}

/** Asks for the current password or a passkey on behalf of any call that needs it; once per page. */
export function PasswordConfirm(): ReactNode {
  const requested = useStore(pending);
  const hasPasskey = useHasPasskey(requested !== null);
  // Asked once it is known what there is to choose from, so that no button comes late and moves the others.
  const request = hasPasskey === undefined ? null : requested;
  const needsPasskey = request?.needsPasskey === true;
  useEffect(() => {
    onConfirmationNeeded(requestConfirmation);
    // The next member of this page is not asked for the one before.
    return () => pending.set(null);
  }, []);
  return (
    <>
      <PasswordDialog isOpen={request !== null && !needsPasskey} hasPasskey={hasPasskey === true} />
      <PasskeyDialog isOpen={needsPasskey && hasPasskey !== false} />
      <Confirm
        title="Du brauchst einen Passkey"
        isOpen={needsPasskey && hasPasskey === false}
        action="Zum Profil"
        kind="primary"
        onConfirm={async () => navigate("/profile#passkeys")}
        onClose={() => close(false)}
      >
        <p>Die Verwaltung öffnet sich hier nur mit einem Passkey. Leg im Profil einen an und komm dann wieder.</p>
      </Confirm>
    </>
  );
}

/** Whether the member could confirm with a passkey; undefined until the server has answered, null where it did not. */
function useHasPasskey(isNeeded: boolean): boolean | null | undefined {
  const [hasPasskey, setHasPasskey] = useState<boolean | null>();
  useEffect(() => {
    if (!isNeeded) return;
    const stop = new AbortController();
    const ask = async () => canUsePasskeys() && (await (await loadPasskeys()).listPasskeys(stop.signal)).length > 0;
    ask().then(setHasPasskey, () => setHasPasskey(null));
    return () => {
      stop.abort();
      setHasPasskey(undefined);
    };
  }, [isNeeded]);
  return hasPasskey;
}

function PasswordDialog({ isOpen, hasPasskey }: { isOpen: boolean; hasPasskey: boolean }): ReactNode {
  const { user } = useSession();
  const passkey = useAction(async () => {
    await (await loadPasskeys()).confirmWithPasskey();
    close(true);
  });
  return (
    <Confirm
      title="Kurz bestätigen"
      isOpen={isOpen}
      action="Bestätigen"
      kind="primary"
      passwordLabel="Aktuelles Passwort"
      otherAction={
        hasPasskey && (
          <Button isWide isBusy={passkey.isPending} onClick={() => void passkey.run()}>
            <KeyRound size={20} />
            Mit Passkey bestätigen
          </Button>
        )
      }
      onConfirm={async (values) => {
        await call(confirmPassword, { body: { password: textOf(values, "password") } });
        close(true);
      }}
      onClose={() => close(false)}
    >
      <p>Bitte bestätige dein aktuelles Passwort{hasPasskey && " oder nimm deinen Passkey"}.</p>
      {/* Tells password managers whose password is asked for. */}
      <input type="text" name="username" autoComplete="username" value={user?.uname ?? ""} readOnly hidden />
    </Confirm>
  );
}

function PasskeyDialog({ isOpen }: { isOpen: boolean }): ReactNode {
  return (
    <Confirm
      title="Kurz bestätigen"
      isOpen={isOpen}
      action="Mit Passkey bestätigen"
      kind="primary"
      onConfirm={async () => {
        await (await loadPasskeys()).confirmWithPasskey();
        close(true);
      }}
      onClose={() => close(false)}
    >
      <p>Die Verwaltung öffnet sich hier nur mit deinem Passkey.</p>
    </Confirm>
  );
}
