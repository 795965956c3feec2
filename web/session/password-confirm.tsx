import { KeyRound, LogIn } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";

import { confirmPassword } from "#contract/confirm-password.ts";
import { call, onConfirmationNeeded } from "#web/data/api.ts";
import { createStore, useStore } from "#web/data/store.ts";
import { Confirm } from "#web/forms/confirm.tsx";
import { useAction } from "#web/forms/use-action.ts";
import { textOf } from "#web/forms/use-form.ts";
import { navigate } from "#web/router/navigation.ts";
import { Button } from "#web/ui/button.tsx";
import { loadOidc, loadPasskeys } from "./load-login.ts";
import { canUsePasskeys } from "./passkey-support.ts";
import { useGroup, useSession } from "./session.ts";

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
 * Asks for the password, a passkey or a login with OpenID if the server requires it for any call
 * (status 423); mounted once per page.
 */
export function PasswordConfirm(): ReactNode {
  const requested = useStore(pending);
  const proofs = useProofs(requested !== null);
  // The dialog opens only after it is known how the member can confirm, so that no button appears
  // later and moves the others.
  const request = proofs === undefined ? null : requested;
  const needsPasskey = request?.needsPasskey === true;
  const { hasPasskey = false, isLinked = false, hasPassword = true } = proofs ?? {};
  useEffect(() => {
    onConfirmationNeeded(requestConfirmation);
    // Another member who logs in on this page must not see the previous member's dialog.
    return () => pending.set(null);
  }, []);
  return (
    <>
      <PasswordDialog
        isOpen={request !== null && !needsPasskey && hasPassword}
        hasPasskey={hasPasskey === true}
        isLinked={isLinked}
      />
      <OidcDialog isOpen={request !== null && !needsPasskey && !hasPassword} hasPasskey={hasPasskey === true} />
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

/** How the member can confirm. */
interface Proofs {
  /** `null` if the request failed. */
  readonly hasPasskey: boolean | null;
  /** `true` if an identity at the OpenID provider is linked. */
  readonly isLinked: boolean;
  readonly hasPassword: boolean;
}

/** Returns how the member can confirm; `undefined` while loading. */
function useProofs(isNeeded: boolean): Proofs | undefined {
  const [proofs, setProofs] = useState<Proofs>();
  const hasProvider = useGroup().oidc_label !== undefined;
  useEffect(() => {
    if (!isNeeded) return;
    const stop = new AbortController();
    const findPasskey = async () =>
      canUsePasskeys() && (await (await loadPasskeys()).listPasskeys(stop.signal)).length > 0;
    const findLink = async () => (hasProvider ? (await loadOidc()).findLink(stop.signal) : null);
    const ask = async () => {
      const [hasPasskey, link] = await Promise.all([findPasskey().catch(() => null), findLink().catch(() => null)]);
      const { identity = null, has_password: hasPassword = true } = link ?? {};
      if (!stop.signal.aborted) setProofs({ hasPasskey, isLinked: identity !== null, hasPassword });
    };
    void ask();
    return () => {
      stop.abort();
      setProofs(undefined);
    };
  }, [isNeeded, hasProvider]);
  return proofs;
}

interface PasswordDialogProps {
  readonly isOpen: boolean;
  readonly hasPasskey: boolean;
  readonly isLinked: boolean;
}

function PasswordDialog({ isOpen, hasPasskey, isLinked }: PasswordDialogProps): ReactNode {
  const { user } = useSession();
  return (
    <Confirm
      title="Kurz bestätigen"
      isOpen={isOpen}
      action="Bestätigen"
      kind="primary"
      passwordLabel="Aktuelles Passwort"
      otherAction={
        <>
          {hasPasskey && <PasskeyButton />}
          {isLinked && <OidcButton />}
        </>
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

function PasskeyButton(): ReactNode {
  const passkey = useAction(async () => {
    await (await loadPasskeys()).confirmWithPasskey();
    close(true);
  });
  return (
    <Button isWide isBusy={passkey.isPending} onClick={() => void passkey.run()}>
      <KeyRound size={20} />
      Mit Passkey bestätigen
    </Button>
  );
}

function OidcButton(): ReactNode {
  const oidc = useAction(confirmWithOidc);
  return (
    <Button isWide isBusy={oidc.isPending} onClick={() => void oidc.run()}>
      <LogIn size={20} />
      Beim Anmeldedienst bestätigen
    </Button>
  );
}

/** Leaves for the OpenID provider; the member repeats the refused call after the return. */
async function confirmWithOidc(): Promise<void> {
  await (await loadOidc()).startConfirmation();
  close(false);
}

/** For members without a password. */
function OidcDialog({ isOpen, hasPasskey }: { isOpen: boolean; hasPasskey: boolean }): ReactNode {
  return (
    <Confirm
      title="Kurz bestätigen"
      isOpen={isOpen}
      action="Zum Anmeldedienst"
      kind="primary"
      otherAction={hasPasskey && <PasskeyButton />}
      onConfirm={confirmWithOidc}
      onClose={() => close(false)}
    >
      <p>Melde dich beim Anmeldedienst kurz neu an. Danach bist du wieder hier und machst weiter.</p>
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
