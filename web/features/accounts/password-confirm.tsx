import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { KeyRound, LogIn, type LucideIcon } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";

import { confirmPassword } from "#contract/confirm-password.ts";
import { getOidcLink, startOidcConfirmation } from "#contract/oidc.ts";
import { getPasskeys } from "#contract/passkeys.ts";
import { call } from "#web/client/api.ts";
import { createStore } from "#web/client/store.ts";
import { Confirm } from "#web/page/confirm.tsx";
import { useGroup, useMember, useStore } from "#web/page/session.ts";
import { Button } from "#web/ui/button.tsx";
import { canUsePasskeys, confirmWithPasskey, openProvider } from "./login.ts";

interface Request extends PromiseWithResolvers<boolean> {
  readonly needsPasskey: boolean;
}

const pending = createStore<Request | null>(null);

/** Simultaneous calls share one dialog. */
export function confirmChange(needsPasskey: boolean): Promise<boolean> {
  const open = pending.get() ?? { ...Promise.withResolvers<boolean>(), needsPasskey };
  pending.set(open);
  return open.promise;
}

function close(isConfirmed: boolean): void {
  pending.get()?.resolve(isConfirmed);
  pending.set(null);
}

/** Opens when the server requires it with status 423. */
export function PasswordConfirm(): ReactNode {
  const navigate = useNavigate();
  const requested = useStore(pending);
  const proofs = useProofs(requested !== null);
  // Opens once the ways to confirm are loaded, because a late button would move the others.
  const request = proofs === undefined ? null : requested;
  const needsPasskey = request?.needsPasskey === true;
  const { hasPasskey = false, isLinked = false, hasPassword = true } = proofs ?? {};
  // Another member may log in on this page.
  useEffect(() => () => pending.set(null), []);
  return (
    <>
      <UsualDialog
        isOpen={request !== null && !needsPasskey}
        hasPassword={hasPassword}
        hasPasskey={hasPasskey === true}
        isLinked={isLinked}
      />
      <Confirm
        title="Kurz bestätigen"
        isOpen={needsPasskey && hasPasskey !== false}
        action="Mit Passkey bestätigen"
        kind="primary"
        onConfirm={sendPasskey}
        onClose={() => close(false)}
      >
        <p>Die Verwaltung öffnet sich hier nur mit deinem Passkey.</p>
      </Confirm>
      <Confirm
        title="Du brauchst einen Passkey"
        isOpen={needsPasskey && hasPasskey === false}
        action="Zum Profil"
        kind="primary"
        onConfirm={async () => void navigate({ to: "/profile", hash: "passkeys" })}
        onClose={() => close(false)}
      >
        <p>Die Verwaltung öffnet sich hier nur mit einem Passkey. Leg im Profil einen an und komm dann wieder.</p>
      </Confirm>
    </>
  );
}

interface Proofs {
  /** `null` if the passkeys could not be loaded. */
  readonly hasPasskey: boolean | null;
  readonly isLinked: boolean;
  readonly hasPassword: boolean;
}

/** Returns `undefined` while loading. */
function useProofs(isNeeded: boolean): Proofs | undefined {
  const [proofs, setProofs] = useState<Proofs>();
  const hasProvider = useGroup().oidc_label !== undefined;
  useEffect(() => {
    if (!isNeeded) return;
    const stop = new AbortController();
    const { signal } = stop;
    const load = async (): Promise<void> => {
      const [passkeys, link] = await Promise.all([
        canUsePasskeys() ? call(getPasskeys, { signal }).catch(() => null) : [],
        hasProvider ? call(getOidcLink, { signal }).catch(() => null) : null,
      ]);
      const { identity = null, has_password: hasPassword = true } = link ?? {};
      if (!signal.aborted)
        setProofs({ hasPasskey: passkeys && passkeys.length > 0, isLinked: identity !== null, hasPassword });
    };
    void load();
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

/** Asks for a login at the provider if the account has no password, and offers the other ways. */
function UsualDialog({ isOpen, hasPassword, hasPasskey, isLinked }: UsualDialogProps): ReactNode {
  const member = useMember();
  return (
    <Confirm
      title="Kurz bestätigen"
      isOpen={isOpen}
      action={hasPassword ? "Bestätigen" : "Zum Anmeldedienst"}
      kind="primary"
      passwordLabel={hasPassword ? "Aktuelles Passwort" : undefined}
      otherAction={
        <>
          {hasPasskey && <OtherWay icon={KeyRound} label="Mit Passkey bestätigen" onConfirm={sendPasskey} />}
          {isLinked && hasPassword && (
            <OtherWay icon={LogIn} label="Beim Anmeldedienst bestätigen" onConfirm={askProvider} />
          )}
        </>
      }
      onConfirm={hasPassword ? sendPassword : askProvider}
      onClose={() => close(false)}
    >
      <p>
        {hasPassword
          ? `Bitte bestätige dein aktuelles Passwort${hasPasskey ? " oder nimm deinen Passkey" : ""}.`
          : "Melde dich beim Anmeldedienst kurz neu an. Danach bist du wieder hier und machst weiter."}
      </p>
      {/* Tells password managers whose password it is. */}
      <input type="text" name="username" autoComplete="username" value={member?.uname ?? ""} readOnly hidden />
    </Confirm>
  );
}

interface OtherWayProps {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly onConfirm: () => Promise<void>;
}

function OtherWay({ icon: Icon, label, onConfirm }: OtherWayProps): ReactNode {
  const { isPending, mutate } = useMutation({ mutationFn: onConfirm });
  return (
    <Button isWide isBusy={isPending} onClick={() => mutate()}>
      <Icon size={20} />
      {label}
    </Button>
  );
}

async function sendPassword(password: string): Promise<void> {
  await call(confirmPassword, { body: { password } });
  close(true);
}

async function sendPasskey(): Promise<void> {
  await confirmWithPasskey();
  close(true);
}

/** After the return, the member repeats the refused call. */
async function askProvider(): Promise<void> {
  const { pathname, search, hash } = location;
  await openProvider(await call(startOidcConfirmation, { body: { return_to: pathname + search + hash } }));
  close(false);
}
