import { use, useEffect, useRef, type ReactNode } from "react";

import { register } from "#contract/registration.ts";
import { call } from "#web/data/api.ts";
import { Form } from "#web/forms/form.tsx";
import { textsOf } from "#web/forms/use-form.ts";
import { navigate } from "#web/router/navigation.ts";
import { PageLink } from "#web/router/page-link.tsx";
import { useLinkToken } from "#web/session/link-token.ts";
import { useGroup } from "#web/session/session.ts";
import { MemberFields } from "#web/shared/member-fields.tsx";
import { NewPasswordFields } from "#web/shared/new-password-fields.tsx";
import { showFlash } from "#web/shell/flash.tsx";
import { Field, FormErrors } from "#web/ui/field.tsx";
import { FormCard } from "#web/ui/form-card.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { Notice } from "#web/ui/notice.tsx";
import { rememberInvitation, rememberRegisteredUname } from "./actions.ts";
import { OidcButton } from "./components/oidc-button.tsx";
import { useInviter } from "./queries.ts";
import styles from "./register-page.module.css";

export function RegisterPage(): ReactNode {
  const [invitation] = useLinkToken();
  const { oidc_label, password_login } = useGroup();
  useEffect(() => {
    if (invitation !== null) rememberInvitation(invitation);
  }, [invitation]);
  const send = async (values: FormData): Promise<void> => {
    const body = textsOf(values, "token", "uname", "name", "email", "password", "password_confirmation");
    await call(register, { body });
    rememberInvitation(null);
    rememberRegisteredUname(body.uname);
    showFlash({ type: "success", text: "Willkommen in der Runde! Jetzt kannst du dich anmelden." });
    // Replaces the history entry of this page, because its address contains the invitation token.
    navigate("/login", { replace: true });
  };
  return (
    <FormCard title="Account erstellen" below={<PageLink href="/login">Du hast schon einen? Zum Login</PageLink>}>
      <Stack>
        {password_login === "off" && invitation === null && <Notice>Öffne den Link aus deiner Einladung.</Notice>}
        {password_login === "off" && invitation !== null && <InvitationNotice token={invitation} />}
        {password_login !== "off" && (
          <Form endpoint={register} action="Account erstellen" onSend={send} isAlwaysSent>
            <TokenField key={invitation} invitation={invitation} />
            <MemberFields />
            <NewPasswordFields label="Passwort" />
          </Form>
        )}
        {invitation !== null && oidc_label !== undefined && (
          <OidcButton label={oidc_label} isOnly={password_login === "off"} invitation={invitation} />
        )}
      </Stack>
    </FormCard>
  );
}

/** Says who invites to which group, and before the form is filled in if the invitation cannot be used. */
function InvitationNotice({ token }: { token: string }): ReactNode {
  const { group_name } = useGroup();
  const invitation = useInviter(token);
  if (invitation === null)
    return <Notice tone="error">Diese Einladung gilt nicht mehr. Lass dir eine neue geben.</Notice>;
  const by = invitation?.by ?? null;
  return (
    <Notice tone="success">
      {by === null ? `Du bist zu „${group_name}“ eingeladen.` : `${by} lädt dich zu „${group_name}“ ein.`}
    </Notice>
  );
}

/**
 * Shows the field for the invitation token. If the link contained a token (`invitation`), the field
 * is prefilled and folded until its validation fails.
 */
function TokenField({ invitation }: { invitation: string | null }): ReactNode {
  const { group_name } = useGroup();
  const details = useRef<HTMLDetailsElement>(null);
  const isWrong = use(FormErrors)["token"] !== undefined;
  useEffect(() => {
    if (isWrong && details.current) details.current.open = true;
  }, [isWrong]);
  const field = (
    <Field
      label="Anmelde-Token"
      name="token"
      defaultValue={invitation ?? ""}
      hint={`Steht in deiner Einladung zu „${group_name}“.`}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      required
    />
  );
  if (invitation === null) return field;
  return (
    <details ref={details}>
      <summary className={styles["invited"]}>
        <InvitationNotice token={invitation} />
      </summary>
      {field}
    </details>
  );
}
