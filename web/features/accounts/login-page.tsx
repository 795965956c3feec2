import { useMutation } from "@tanstack/react-query";
import { Link, useRouter } from "@tanstack/react-router";
import { KeyRound, LogIn } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";

import { login } from "#contract/auth.ts";
import type { User } from "#contract/members.ts";
import { startOidcLogin } from "#contract/oidc.ts";
import type { Assertion } from "#contract/passkeys.ts";
import { call } from "#web/client/api.ts";
import { createStore } from "#web/client/store.ts";
import { formFor } from "#web/page/form.tsx";
import { redirectTarget } from "#web/page/redirect-target.ts";
import { useGroup, usePageContext } from "#web/page/session.ts";
import { Button } from "#web/ui/button.tsx";
import { FormCard } from "#web/ui/card.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { canUsePasskeys, hasUsedPasskey, loginWithPasskey, openProvider, waitForPick } from "./login.ts";

/** Token of the invitation that leads here; `null` after its use. */
export const openedInvitation = createStore<string | null>(null);

/** User name of an account that was just created, which the form prefills. */
export const registeredUname = createStore<string | null>(null);

const credentials = formFor(login);

export function LoginPage(): ReactNode {
  const router = useRouter();
  const { logIn } = usePageContext();
  const { oidc_label, password_login } = useGroup();
  const hasPassword = password_login !== "off";
  const [isRemembered, setRemembered] = useState(true);
  const [prefilledUname] = useState(registeredUname.get);
  const passwordField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The next person in this browser must not see the name.
    registeredUname.set(null);
    if (prefilledUname !== null) passwordField.current?.focus();
  }, [prefilledUname]);
  const arrive = (user: User): Promise<void> => logIn(user, findTarget());
  const passkey = useMutation({
    mutationFn: async (picked?: Assertion) => arrive(await loginWithPasskey(isRemembered, picked)),
  });
  const offer = usePasskeyOffer(hasPassword, passkey.mutate);
  const preload = (): void => void router.loadRouteChunk(router.routesByPath["/beercounter"]);
  const invitation = openedInvitation.get();
  const links = (
    <>
      {hasPassword && <Link to="/password-reset">Passwort vergessen?</Link>}
      <Link to="/register" hash={invitation === null ? "" : `token=${invitation}`}>
        Account erstellen
      </Link>
    </>
  );
  const remember = (
    <credentials.Checkbox
      name="rememberUser"
      checked={isRemembered}
      onChange={({ target }) => setRemembered(target.checked)}
    />
  );
  const oidc = oidc_label !== undefined && (
    <OidcButton label={oidc_label} isOnly={!hasPassword} isRemembered={isRemembered} />
  );
  const otherWays = (
    <>
      {canUsePasskeys() && (
        <Button isWide isBusy={passkey.isPending} onClick={() => passkey.mutate()}>
          <KeyRound size={20} />
          Mit Passkey anmelden
        </Button>
      )}
      {oidc}
    </>
  );
  return (
    <FormCard title="Login" below={links}>
      {hasPassword ? (
        <credentials.Form
          action="Login"
          onSend={async (body) => arrive((await call(login, { body })).user)}
          below={otherWays}
        >
          <credentials.Field
            name="uname"
            autoComplete="username webauthn"
            onFocus={offer}
            onChange={preload}
            defaultValue={prefilledUname ?? undefined}
            autoCapitalize="none"
            spellCheck={false}
            required
          />
          <credentials.Field
            name="password"
            type="password"
            autoComplete="current-password"
            onChange={preload}
            ref={passwordField}
            required
          />
          {remember}
        </credentials.Form>
      ) : (
        <Stack>
          {remember}
          {oidc}
        </Stack>
      )}
    </FormCard>
  );
}

function findTarget(): string {
  return redirectTarget(location.search) + location.hash;
}

/** Offers passkeys in the user name's autofill: at once if this browser has used one, otherwise at the first focus. */
function usePasskeyOffer(isAllowed: boolean, onPick: (picked: Assertion) => void): () => void {
  const [isOffered, setOffered] = useState(hasUsedPasskey);
  useEffect(() => {
    if (!isOffered || !isAllowed || !canUsePasskeys()) return;
    const stop = new AbortController();
    waitForPick(stop.signal)
      .then((picked) => picked && onPick(picked))
      // An offer that ends without a passkey is no failed login.
      .catch(() => {})
      .finally(() => setOffered(false));
    return () => stop.abort();
  }, [isOffered, isAllowed, onPick]);
  return () => setOffered(true);
}

interface OidcButtonProps {
  readonly label: string;
  /** The page offers no other way to log in. */
  readonly isOnly: boolean;
  readonly isRemembered?: boolean;
  /** Token of the invitation with which a new member registers. */
  readonly invitation?: string;
}

export function OidcButton({ label, isOnly, isRemembered = true, invitation }: OidcButtonProps): ReactNode {
  const { isPending, mutate } = useMutation({
    async mutationFn() {
      const body = { rememberUser: isRemembered, return_to: findTarget(), invitation };
      await openProvider(await call(startOidcLogin, { body }));
    },
  });
  return (
    <Button kind={isOnly ? "primary" : "plain"} isWide isBusy={isPending} onClick={() => mutate()}>
      <LogIn size={20} />
      {label}
    </Button>
  );
}
