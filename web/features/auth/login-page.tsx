import { KeyRound } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode, type RefObject } from "react";

import { login as loginEndpoint } from "#contract/auth.ts";
import { loadPasskeys } from "#web/platform/load-passkeys.ts";
import { navigate } from "#web/platform/location.ts";
import { PageLink } from "#web/platform/page-link.tsx";
import { preload, useFindRoute } from "#web/platform/pages.ts";
import { canUsePasskeys, hasUsedPasskey } from "#web/platform/passkey-support.ts";
import { redirectTarget } from "#web/platform/redirect-target.ts";
import { login } from "#web/platform/session.ts";
import { useAction } from "#web/platform/use-action.ts";
import { textOf, useForm } from "#web/platform/use-form.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { Field, FormErrors } from "#web/ui/field.tsx";
import { FormCard } from "#web/ui/form-card.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { forgetRegisteredUname, getRegisteredUname } from "./actions.ts";

export function LoginPage(): ReactNode {
  const findRoute = useFindRoute();
  const [registeredUname] = useState(getRegisteredUname);
  const passwordField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    forgetRegisteredUname();
    if (registeredUname !== null) passwordField.current!.focus();
  }, [registeredUname]);
  /** Logged in, and on a slow line for a while still here. */
  const [isLeaving, setLeaving] = useState(false);
  const { errors, isPending, props } = useForm(loginEndpoint, async (values) => {
    const credentials = {
      uname: textOf(values, "uname"),
      password: textOf(values, "password"),
      rememberUser: values.has("rememberUser"),
    };
    await login(credentials, arrive);
    setLeaving(true);
  });
  const preloadNextPage = (): void => {
    const next = findRoute(redirectTarget(location.search).replace(/[?#].*/, ""));
    if (next !== undefined) void preload(next.page);
  };
  const form = useRef<HTMLFormElement>(null);
  const passkey = useAction(async () => (await loadPasskeys()).loginWithPasskey(isRemembered(form), arrive));
  const offer = usePasskeyOffer(form);
  const links = (
    <>
      <PageLink href="/password-reset">Passwort vergessen?</PageLink>
      <PageLink href="/register">Account erstellen</PageLink>
    </>
  );
  return (
    <FormCard title="Login" below={links}>
      <FormErrors value={errors}>
        <Stack as="form" ref={form} {...props} onChange={preloadNextPage}>
          <Field
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
            label="Passwort"
            name="password"
            type="password"
            autoComplete="current-password"
            ref={passwordField}
            required
          />
          <Checkbox label="Eingeloggt bleiben" name="rememberUser" />
          <Button type="submit" kind="primary" isBusy={isPending || isLeaving} isWide>
            Login
          </Button>
          {canUsePasskeys() && (
            <Button isWide isBusy={passkey.isPending} onClick={() => void passkey.run()}>
              <KeyRound size={20} />
              Mit Passkey anmelden
            </Button>
          )}
        </Stack>
      </FormErrors>
    </FormCard>
  );
}

function arrive(): void {
  navigate(redirectTarget(location.search) + location.hash, { replace: true });
}

/**
 * Offers passkeys among the browser's suggestions for the user name: at once where one was used before, else from the first focus.
 * Returns the handler for that.
 */
function usePasskeyOffer(form: RefObject<HTMLFormElement | null>): () => void {
  const [isOffered, setOffered] = useState(hasUsedPasskey);
  useEffect(() => {
    if (!isOffered || !canUsePasskeys()) return;
    const stop = new AbortController();
    loadPasskeys()
      .then(({ offerPasskeys }) => offerPasskeys(() => isRemembered(form), arrive, stop.signal))
      .catch(() => {})
      .finally(() => setOffered(false));
    return () => stop.abort();
  }, [isOffered, form]);
  return () => setOffered(true);
}

function isRemembered({ current }: RefObject<HTMLFormElement | null>): boolean {
  return new FormData(current!).has("rememberUser");
}
