import { useRouter } from "@tanstack/react-router";
import { KeyRound } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode, type RefObject } from "react";

import { login as loginEndpoint } from "#contract/auth.ts";
import { useAction } from "#web/forms/use-action.ts";
import { textOf, useForm } from "#web/forms/use-form.ts";
import { navigate } from "#web/router/navigation.ts";
import { PageLink } from "#web/router/page-link.tsx";
import { preloadCode } from "#web/router/preload.ts";
import { redirectTarget } from "#web/router/redirect-target.ts";
import { loadPasskeys } from "#web/session/load-login.ts";
import { canUsePasskeys, hasUsedPasskey } from "#web/session/passkey-support.ts";
import { login, useGroup } from "#web/session/session.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { Field, FormErrors } from "#web/ui/field.tsx";
import { FormCard } from "#web/ui/form-card.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { usePlaceholder } from "#web/ui/placeholder.tsx";
import { forgetRegisteredUname, getOpenedInvitation, getRegisteredUname } from "./actions.ts";
import { OidcButton } from "./components/oidc-button.tsx";
import styles from "./components/ways.module.css";

export function LoginPage(): ReactNode {
  const isPlaceholder = usePlaceholder();
  const router = useRouter();
  const [registeredUname] = useState(getRegisteredUname);
  const passwordField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    forgetRegisteredUname();
    if (registeredUname !== null) passwordField.current?.focus();
  }, [registeredUname]);
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
  const passkey = useAction(async () => (await loadPasskeys()).loginWithPasskey(isRemembered(form), onLoggedIn));
  const { oidc_label, password_login } = useGroup();
  const hasPassword = password_login !== "off";
  /**
   * Marks the parts of the page that are hidden, even before the app starts, if members cannot log
   * in with a password.
   */
  const hidden = { className: styles["password"], "data-password-login": password_login };
  const offer = usePasskeyOffer(form, hasPassword);
  const invitation = getOpenedInvitation();
  const links = (
    <>
      {hasPassword && (
        <PageLink href="/password-reset" {...hidden}>
          Passwort vergessen?
        </PageLink>
      )}
      <PageLink href={invitation === null ? "/register" : `/register#token=${invitation}`}>Account erstellen</PageLink>
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
                defaultValue={registeredUname ?? undefined}
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
            <OidcButton label={oidc_label} isOnly={!hasPassword} isRemembered={() => isRemembered(form)} />
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
 * Offers passkeys as autofill suggestions for the user name: at once if this browser has used a
 * passkey before, otherwise as soon as the field has the focus for the first time. Returns the
 * focus handler of the field.
 */
function usePasskeyOffer(form: RefObject<HTMLFormElement | null>, isAllowed: boolean): () => void {
  const [isOffered, setOffered] = useState(hasUsedPasskey);
  useEffect(() => {
    if (!isOffered || !isAllowed || !canUsePasskeys()) return;
    const stop = new AbortController();
    loadPasskeys()
      .then(({ offerPasskeys }) => offerPasskeys(() => isRemembered(form), onLoggedIn, stop.signal))
      .catch(() => {})
      .finally(() => setOffered(false));
    return () => stop.abort();
  }, [isOffered, isAllowed, form]);
  return () => setOffered(true);
}

function isRemembered({ current }: RefObject<HTMLFormElement | null>): boolean {
  return new FormData(current!).has("rememberUser");
}
