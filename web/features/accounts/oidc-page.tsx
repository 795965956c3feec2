import { useEffect, useRef, useState, type ChangeEvent, type ReactNode } from "react";

import { type OidcPurpose, registerWithOidc } from "#contract/oidc.ts";
import { ApiError, call, somethingFailed } from "#web/client/api.ts";
import { finish } from "#web/features/accounts/oidc.ts";
import { Form } from "#web/forms/form.tsx";
import { textsOf } from "#web/forms/use-form.ts";
import { ButtonLink } from "#web/page/links.tsx";
import { showMessage } from "#web/page/messages.tsx";
import { dashboardPath, redirectTarget } from "#web/page/redirect-target.ts";
import { becomeMember, useGroup, useMember } from "#web/page/session.ts";
import { navigate } from "#web/router/navigation.ts";
import { FormCard } from "#web/ui/form-card.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { Notice } from "#web/ui/notice.tsx";
import { Spinner } from "#web/ui/spinner.tsx";
import { MemberFields } from "./account-fields.tsx";

type MemberValues = Record<"uname" | "name" | "email", string>;

/** The page to which the OpenID provider returns the browser. */
export function OidcPage(): ReactNode {
  const hasProvider = useGroup().oidc_label !== undefined;
  const [problem, setProblem] = useState(hasProvider ? null : "Hier gibt es keinen Anmeldedienst.");
  const [suggestions, setSuggestions] = useState<MemberValues | null>(null);
  const isStarted = useRef(false);
  useEffect(() => {
    // The server accepts the provider's answer only once, but React may run effects twice.
    if (isStarted.current || !hasProvider) return;
    isStarted.current = true;
    finish().then(
      ({ purpose, return_to, user, registration }) => {
        if (registration !== null) return setSuggestions(registration);
        const target = targets[purpose](return_to);
        if (user !== null) return becomeMember(user, () => navigate(target, { replace: true }));
        showMessage({ type: "success", text: texts[purpose] });
        navigate(target, { replace: true });
      },
      (error: unknown) => setProblem(error instanceof ApiError ? error.message : somethingFailed),
    );
  }, [hasProvider]);
  if (suggestions !== null) return <Registration suggestions={suggestions} />;
  return (
    <FormCard title="Anmeldung" below={null}>
      {problem === null ? (
        <Stack data-align="center" role="status">
          <Spinner size={40} />
          <p>Einen Moment, wir melden dich an …</p>
        </Stack>
      ) : (
        <Failure text={problem} />
      )}
    </FormCard>
  );
}

const inner = (address: string) => redirectTarget(`?redirectedFrom=${encodeURIComponent(address)}`);
const targets: Record<OidcPurpose, (returnTo: string) => string> = {
  login: inner,
  link: () => "/profile#anmeldedienst",
  confirm: inner,
};
const texts: Record<OidcPurpose, string> = {
  login: "Angemeldet.",
  link: "Verbunden. Ab jetzt kannst du dich so anmelden.",
  confirm: "Bestätigt. Mach einfach weiter.",
};

function Failure({ text }: { text: string }): ReactNode {
  const user = useMember();
  return (
    <Stack>
      <Notice tone="error">{text}</Notice>
      {user === null ? (
        <ButtonLink to="/login" kind="primary">
          Zum Login
        </ButtonLink>
      ) : (
        <ButtonLink to="/profile#anmeldedienst" kind="primary">
          Zum Profil
        </ButtonLink>
      )}
    </Stack>
  );
}

function Registration({ suggestions }: { suggestions: MemberValues }): ReactNode {
  const [values, setValues] = useState(suggestions);
  const change = ({ target: { name, value } }: ChangeEvent<HTMLInputElement>): void =>
    setValues((before) => ({ ...before, [name]: value }));
  const send = async (form: FormData): Promise<void> => {
    const { user } = await call(registerWithOidc, { body: textsOf(form, "uname", "name", "email") });
    becomeMember(user, () => navigate(dashboardPath, { replace: true }));
    showMessage({ type: "success", text: "Willkommen in der Runde!" });
  };
  return (
    <FormCard title="Fast geschafft" below={null}>
      <Form endpoint={registerWithOidc} action="Account erstellen" onSend={send}>
        <MemberFields values={values} onChange={change} />
      </Form>
    </FormCard>
  );
}
