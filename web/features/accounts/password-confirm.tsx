import { KeyRound, LogIn, type LucideIcon } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";

import { confirmPassword } from "#contract/confirm-password.ts";
import { call, onConfirmationNeeded } from "#web/client/api.ts";
import { createStore } from "#web/client/store.ts";
import { useAction } from "#web/forms/use-action.ts";
import { textOf } from "#web/forms/use-form.ts";
import { Confirm } from "#web/page/confirm.tsx";
import { useStore } from "#web/page/session.ts";
import { navigate } from "#web/router/navigation.ts";
import { Button } from "#web/ui/button.tsx";
import { loadOidc, loadPasskeys } from "./load-login.ts";
import { canUsePasskeys } from "./passkey-support.ts";
import { useGroup, useMember } from "./session.ts";

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
  // The dialog opens only after the ways to confirm are loaded, so that no button appears later and
  // moves the others.
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
      <UsualDialog
        isOpen={request !== null && !needsPasskey}
        hasPassword={hasPassword}
        hasPasskey={hasPasskey === true}
        isLinked={isLinked}
      />
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

/** The ways in which the member can confirm an action. */
interface Proofs {
  /** `null` if the member's passkeys could not be loaded. */
  readonly hasPasskey: boolean | null;
  /** `true` if an identity at the OpenID provider is linked. */
  readonly isLinked: boolean;
  readonly hasPassword: boolean;
}

/** Returns the ways in which the member can confirm; `undefined` while loading. */
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

interface UsualDialogProps {
  readonly isOpen: boolean;
  readonly hasPassword: boolean;
  readonly hasPasskey: boolean;
  readonly isLinked: boolean;
}

/**
 * Asks for the password, or for a login with OpenID if the account has no password. Offers buttons
 * for the member's other ways to confirm.
 */
function UsualDialog({ isOpen, hasPassword, hasPasskey, isLinked }: UsualDialogProps): ReactNode {
  const user = useMember();
  const sendPassword = async (values: FormData): Promise<void> => {
    await call(confirmPassword, { body: { password: textOf(values, "password") } });
    close(true);
  };
  return (
    <Confirm
      title="Kurz bestätigen"
      isOpen={isOpen}
      action={hasPassword ? "Bestätigen" : "Zum Anmeldedienst"}
      kind="primary"
      passwordLabel={hasPassword ? "Aktuelles Passwort" : undefined}
      otherAction={
        <>
          {hasPasskey && <OtherWay icon={KeyRound} label="Mit Passkey bestätigen" onConfirm={confirmWithPasskey} />}
          {isLinked && hasPassword && (
            <OtherWay icon={LogIn} label="Beim Anmeldedienst bestätigen" onConfirm={confirmWithOidc} />
          )}
        </>
      }
      onConfirm={hasPassword ? sendPassword : confirmWithOidc}
      onClose={() => close(false)}
    >
      <p>
        {hasPassword
          ? `Bitte bestätige dein aktuelles Passwort${hasPasskey ? " oder nimm deinen Passkey" : ""}.`
          : "Melde dich beim Anmeldedienst kurz neu an. Danach bist du wieder hier und machst weiter."}
      </p>
      {/* Hidden field that tells password managers whose password is requested. */}
      <input type="text" name="username" autoComplete="username" value={user?.uname ?? ""} readOnly hidden />
    </Confirm>
  );
}

interface OtherWayProps {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly onConfirm: () => Promise<void>;
}

function OtherWay({ icon: Icon, label, onConfirm }: OtherWayProps): ReactNode {
  const { isPending, run } = useAction(onConfirm);
  return (
    <Button isWide isBusy={isPending} onClick={() => void run()}>
      <Icon size={20} />
      {label}
    </Button>
  );
}

async function confirmWithPasskey(): Promise<void> {
  await (await loadPasskeys()).confirmWithPasskey();
  close(true);
}

/** Navigates to the OpenID provider; the member repeats the refused call after the return. */
async function confirmWithOidc(): Promise<void> {
  await (await loadOidc()).startConfirmation();
  close(false);
}

function PasskeyDialog({ isOpen }: { isOpen: boolean }): ReactNode {
  return (
    <Confirm
      title="Kurz bestätigen"
      isOpen={isOpen}
      action="Mit Passkey bestätigen"
      kind="primary"
      onConfirm={confirmWithPasskey}
      onClose={() => close(false)}
    >
      <p>Die Verwaltung öffnet sich hier nur mit deinem Passkey.</p>
    </Confirm>
  );
}
