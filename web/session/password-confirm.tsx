import { KeyRound } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";

import { confirmPassword } from "#contract/confirm-password.ts";
import { call, onConfirmationNeeded } from "#web/data/api.ts";
import { createStore, useStore } from "#web/data/store.ts";
import { Confirm } from "#web/forms/confirm.tsx";
import { useAction } from "#web/forms/use-action.ts";
import { textOf } from "#web/forms/use-form.ts";
import { navigate } from "#web/router/navigation.ts";
import { Button } from "#web/ui/button.tsx";
import { loadPasskeys } from "./load-passkeys.ts";
import { canUsePasskeys } from "./passkey-support.ts";
import { useSession } from "./session.ts";

interface Request extends PromiseWithResolvers<boolean> {
  /** `true` if the member must confirm with a passkey instead of the password. */
  readonly needsPasskey: boolean;
}

const pending = createStore<Request | null>(null);

/** Asks the member for a confirmation; simultaneous calls share one dialog. */
function requestConfirmation(needsPasskey: boolean): Promise<boolean> {
  const open = pending.get() ?? { ...Promise.withResolvers<boolean>(), needsPasskey };
  pending.set(open);
  return open.promise;
}

function close(isConfirmed: boolean): void {
  pending.get()?.resolve(isConfirmed);
  pending.set(null);
}

/**
 * Asks for the password or a passkey if the server requires it for any call (status 423); mounted
 * once per page.
 */
export function PasswordConfirm(): ReactNode {
  const requested = useStore(pending);
  const hasPasskey = useHasPasskey(requested !== null);
  // The dialog opens only after it is known if the member has a passkey, so that no button appears
  // later and moves the others.
  const request = hasPasskey === undefined ? null : requested;
  const needsPasskey = request?.needsPasskey === true;
  useEffect(() => {
    onConfirmationNeeded(requestConfirmation);
    // Another member who logs in on this page must not see the previous member's dialog.
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

/** Returns `true` if the member has a passkey; `undefined` while loading, `null` if the request failed. */
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
      {/* Hidden field that tells password managers whose password is requested. */}
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
