import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, type ReactNode } from "react";

import { finishOidc, registerWithOidc } from "#contract/oidc.ts";
import { ApiError, call, somethingFailed } from "#web/client/api.ts";
import { formFor } from "#web/page/form.tsx";
import { ButtonLink } from "#web/page/links.tsx";
import { showMessage } from "#web/page/messages.tsx";
import { dashboardPath, redirectTarget } from "#web/page/redirect-target.ts";
import { useGroup, useMember, usePageContext } from "#web/page/session.ts";
import { FormCard } from "#web/ui/card.tsx";
import { Spinner } from "#web/ui/icons.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { Notice } from "#web/ui/text.tsx";
import { MemberFields, type AccountField } from "./account-fields.tsx";

/** The OpenID provider returns the browser here. */
export function OidcPage(): ReactNode {
  const hasProvider = useGroup().oidc_label !== undefined;
  const { logIn } = usePageContext();
  const navigate = useNavigate();
  const isStarted = useRef(false);
  const { mutate, data, error } = useMutation({
    meta: { showsErrors: true },
    mutationFn() {
      const answer = location.search;
      history.replaceState(history.state, "", location.pathname);
      return call(finishOidc, { body: { answer } });
    },
    async onSuccess({ purpose, return_to, user, registration }) {
      if (registration !== null) return;
      const isLink = purpose === "link";
      const href = isLink ? "/profile#sign-on" : redirectTarget(`?redirectedFrom=${encodeURIComponent(return_to)}`);
      if (user !== null) return logIn(user, href);
      const text = isLink ? "Verbunden. Ab jetzt kannst du dich so anmelden." : "Bestätigt. Mach einfach weiter.";
      showMessage({ type: "success", text });
      await navigate({ href, replace: true });
    },
  });
  useEffect(() => {
    // React may run effects twice, but the provider's answer counts once.
    if (isStarted.current || !hasProvider) return;
    isStarted.current = true;
    mutate();
  }, [hasProvider, mutate]);
  if (data?.registration) return <Registration suggestions={data.registration} />;
  const problem = hasProvider ? error : new ApiError(0, "Hier gibt es keinen Anmeldedienst.");
  return (
    <FormCard title="Anmeldung" below={null}>
      {problem === null ? (
        <Stack data-align="center" role="status">
          <Spinner size={40} />
          <p>Einen Moment, wir melden dich an …</p>
        </Stack>
      ) : (
        <Failure text={problem instanceof ApiError ? problem.message : somethingFailed} />
      )}
    </FormCard>
  );
}

function Failure({ text }: { text: string }): ReactNode {
  const member = useMember();
  return (
    <Stack>
      <Notice tone="error">{text}</Notice>
      {member === null ? (
        <ButtonLink to="/login" kind="primary">
          Zum Login
        </ButtonLink>
      ) : (
        <ButtonLink to="/profile" hash="sign-on" kind="primary">
          Zum Profil
        </ButtonLink>
      )}
    </Stack>
  );
}

const { Form } = formFor(registerWithOidc);

function Registration({ suggestions }: { suggestions: Record<AccountField, string> }): ReactNode {
  const { logIn } = usePageContext();
  return (
    <FormCard title="Fast geschafft" below={null}>
      <Form
        action="Account erstellen"
        onSend={async (body) => {
          const { user } = await call(registerWithOidc, { body });
          await logIn(user, dashboardPath);
          return "Willkommen in der Runde!";
        }}
      >
        <MemberFields bind={(name) => ({ defaultValue: suggestions[name] })} />
      </Form>
    </FormCard>
  );
}
