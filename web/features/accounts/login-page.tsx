import { useRouter, Link } from "@tanstack/react-router";
import { KeyRound, LogIn } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode, type RefObject } from "react";

import { login as loginEndpoint } from "#contract/auth.ts";
import { createStore } from "#web/client/store.ts";
import { loadOidc, loadPasskeys } from "#web/features/accounts/load-login.ts";
import { canUsePasskeys, hasUsedPasskey } from "#web/features/accounts/passkey-support.ts";
import { useAction } from "#web/forms/use-action.ts";
import { textOf, useForm } from "#web/forms/use-form.ts";
import { redirectTarget } from "#web/page/redirect-target.ts";
import { login, useGroup } from "#web/page/session.ts";
import { navigate } from "#web/router/navigation.ts";
import { preloadCode } from "#web/router/preload.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { Field, FormErrors } from "#web/ui/field.tsx";
import { FormCard } from "#web/ui/form-card.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { usePlaceholder } from "#web/ui/placeholder.tsx";
import styles from "./login-page.module.css";

/** The token of the invitation that was opened, to which the login page leads back; `null` after its use. */
export const openedInvitation = createStore<string | null>(null);

/** The user name of an account that was just created, which the login form prefills. */
export const registeredUname = createStore<string | null>(null);

export function LoginPage(): ReactNode {
  const isPlaceholder = usePlaceholder();
  const router = useRouter();
  const [prefilledUname] = useState(registeredUname.get);
  const passwordField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The next person in this browser must not see the name.
    registeredUname.set(null);
    if (prefilledUname !== null) passwordField.current?.focus();
  }, [prefilledUname]);
  /** `true` after the login until the next page is loaded, which takes a while on slow connections. */
  const [isLeaving, setLeaving] = useState(false);
  const { errors, isPending, props } = useForm(loginEndpoint, async (values) => {
    const credentials = {
      uname: textOf(values, "uname"),
      password: textOf(values, "password"),
      rememberUser: values.has("rememberUser"),
    };
    await login(credentials, onLoggedIn);
    setLeaving(true);
  });
  const preloadNextPage = (): void => void preloadCode(router, redirectTarget(location.search));
  const form = useRef<HTMLFormElement>(null);
  const passkey = useAction(async () => (await loadPasskeys()).loginWithPasskey(isChecked(form), onLoggedIn));
  const { oidc_label, password_login } = useGroup();
  const hasPassword = password_login !== "off";
  /** Hides parts, even before the app starts, if members cannot log in with a password. */
  const hidden = { className: styles["password"], "data-password-login": password_login };
  const offer = usePasskeyOffer(form, hasPassword);
  const invitation = openedInvitation.get();
  const links = (
    <>
      {hasPassword && (
        <Link to="/password-reset" {...hidden}>
          Passwort vergessen?
        </Link>
      )}
      <Link to={invitation === null ? "/register" : `/register#token=${invitation}`}>Account erstellen</Link>
    </>
  );
  return (
    <FormCard title="Login" below={links}>
      <FormErrors value={errors}>
        <Stack as="form" ref={form} {...props} method="dialog" data-early="login" onChange={preloadNextPage}>
          {hasPassword && (
            <Stack {...hidden}>
              <Field
                // The same id in the placeholder, so that programs that fill in forms still find the field.
                id="uname"
                label="Benutzername"
                name="uname"
                autoComplete="username webauthn"
                onFocus={offer}
                defaultValue={prefilledUname ?? undefined}
                autoCapitalize="none"
                spellCheck={false}
                required
              />
              <Field
                id="password"
                label="Passwort"
                name="password"
                type="password"
                autoComplete="current-password"
                ref={passwordField}
                required
              />
            </Stack>
          )}
          <Checkbox label="Eingeloggt bleiben" name="rememberUser" defaultChecked />
          {hasPassword && (
            <Stack {...hidden}>
              <Button type="submit" kind="primary" isBusy={isPending || isLeaving} isWide>
                Login
              </Button>
              {(isPlaceholder || canUsePasskeys()) && (
                <Button isWide isBusy={passkey.isPending} onClick={() => void passkey.run()}>
                  <KeyRound size={20} />
                  Mit Passkey anmelden
                </Button>
              )}
            </Stack>
          )}
          {oidc_label !== undefined && (
            <OidcButton label={oidc_label} isOnly={!hasPassword} isRemembered={() => isChecked(form)} />
          )}
        </Stack>
      </FormErrors>
    </FormCard>
  );
}

function onLoggedIn(): void {
  navigate(redirectTarget(location.search) + location.hash, { replace: true });
}

/**
 * Offers passkeys as autofill suggestions for the user name: at once if this browser has used a passkey before,
 * otherwise at the field's first focus. Returns the focus handler of the field.
 */
function usePasskeyOffer(form: RefObject<HTMLFormElement | null>, isAllowed: boolean): () => void {
  const [isOffered, setOffered] = useState(hasUsedPasskey);
  useEffect(() => {
    if (!isOffered || !isAllowed || !canUsePasskeys()) return;
    const stop = new AbortController();
    loadPasskeys()
      .then(({ offerPasskeys }) => offerPasskeys(() => isChecked(form), onLoggedIn, stop.signal))
      .catch(() => {})
      .finally(() => setOffered(false));
    return () => stop.abort();
  }, [isOffered, isAllowed, form]);
  return () => setOffered(true);
}

function isChecked({ current }: RefObject<HTMLFormElement | null>): boolean {
  return new FormData(current!).has("rememberUser");
}

interface OidcButtonProps {
  readonly label: string;
  /** `true` if the page offers no other way to log in. */
  readonly isOnly: boolean;
  readonly isRemembered?: () => boolean;
  /** The token of an invitation with which a new member registers. */
  readonly invitation?: string;
}

export function OidcButton({ label, isOnly, isRemembered, invitation }: OidcButtonProps): ReactNode {
  const { isPending, run } = useAction(async () =>
    (await loadOidc()).startLogin(redirectTarget(location.search) + location.hash, isRemembered?.(), invitation),
  );
  return (
    <div className={styles["oidc"]}>
      <Button kind={isOnly ? "primary" : "plain"} isWide isBusy={isPending} onClick={() => void run()}>
        <LogIn size={20} />
        <span>{label}</span>
      </Button>
    </div>
  );
}
