import { Link } from "@tanstack/react-router";
import { use, useEffect, useRef, useState, type ReactNode } from "react";

import type { ReplyOf } from "#contract/endpoint.ts";
import { getInviter, register } from "#contract/registration.ts";
import { call } from "#web/client/api.ts";
import { Form } from "#web/forms/form.tsx";
import { textsOf } from "#web/forms/use-form.ts";
import { useLinkToken } from "#web/page/link-token.ts";
import { showMessage } from "#web/page/messages.tsx";
import { useGroup } from "#web/page/session.ts";
import { navigate } from "#web/router/navigation.ts";
import { Field, FormErrors } from "#web/ui/field.tsx";
import { FormCard } from "#web/ui/form-card.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { Notice } from "#web/ui/notice.tsx";
import { MemberFields, NewPasswordFields } from "./account-fields.tsx";
import { OidcButton, openedInvitation, registeredUname } from "./login-page.tsx";
import styles from "./register-page.module.css";

export function RegisterPage(): ReactNode {
  const [invitation] = useLinkToken();
  const { oidc_label, password_login } = useGroup();
  useEffect(() => {
    if (invitation !== null) openedInvitation.set(invitation);
  }, [invitation]);
  const send = async (values: FormData): Promise<void> => {
    const body = textsOf(values, "token", "uname", "name", "email", "password", "password_confirmation");
    await call(register, { body });
    openedInvitation.set(null);
    registeredUname.set(body.uname);
    showMessage({ type: "success", text: "Willkommen in der Runde! Jetzt kannst du dich anmelden." });
    // The address of this page contains the invitation token.
    navigate("/login", { replace: true });
  };
  return (
    <FormCard title="Account erstellen" below={<Link to="/login">Du hast schon einen? Zum Login</Link>}>
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
 * Returns who invites with this token; `undefined` while that is unknown, as after a failed request. Not in the
 * query cache, which a page without a member empties when it starts.
 */
function useInviter(token: string): ReplyOf<typeof getInviter>["invitation"] | undefined {
  const [reply, setReply] = useState<ReplyOf<typeof getInviter>>();
  useEffect(() => {
    const left = new AbortController();
    call(getInviter, { body: { token }, signal: left.signal }).then(setReply, () => {});
    return () => left.abort();
  }, [token]);
  return reply?.invitation;
}

/** The field is prefilled by the opened `invitation`, and folded until its validation fails. */
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
