import { skipToken, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { use, useEffect, useRef, type ReactNode } from "react";

import { getInviter, register } from "#contract/registration.ts";
import { call } from "#web/client/api.ts";
import { keyOf } from "#web/client/queries.ts";
import { formFor } from "#web/page/form.tsx";
import { useLinkToken } from "#web/page/link-token.ts";
import { loginPathFor } from "#web/page/redirect-target.ts";
import { useGroup } from "#web/page/session.ts";
import { FormCard } from "#web/ui/card.tsx";
import { FormErrors } from "#web/ui/field.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { Notice } from "#web/ui/text.tsx";
import { MemberFields, NewPasswordFields } from "./account-fields.tsx";
import { OidcButton, openedInvitation, registeredUname } from "./login-page.tsx";
import styles from "./register-page.module.css";

const registration = formFor(register);

export function RegisterPage(): ReactNode {
  const [invitation] = useLinkToken();
  const { oidc_label, password_login } = useGroup();
  const navigate = useNavigate();
  const guestName = useInviter(invitation).data?.invitation?.guest_name ?? null;
  useEffect(() => {
    if (invitation !== null) openedInvitation.set(invitation);
  }, [invitation]);
  return (
    <FormCard title="Account erstellen" below={<Link to="/login">Du hast schon einen? Zum Login</Link>}>
      <Stack>
        {password_login === "off" && invitation === null && <Notice>Öffne den Link aus deiner Einladung.</Notice>}
        {password_login === "off" && invitation !== null && <InvitationNotice token={invitation} />}
        {password_login !== "off" && (
          <registration.Form
            action="Account erstellen"
            isAlwaysSent
            onSend={async (body) => {
              const { is_host: isHost } = await call(register, { body });
              openedInvitation.set(null);
              registeredUname.set(body.uname);
              // This address contains the invitation token.
              await navigate({ href: isHost ? loginPathFor("/welcome") : "/login", replace: true });
              return "Willkommen in der Runde! Jetzt kannst du dich anmelden.";
            }}
          >
            <TokenField key={invitation} invitation={invitation} />
            <MemberFields
              key={guestName ?? ""}
              bind={(name) => (name === "name" && guestName !== null ? { defaultValue: guestName } : {})}
            />
            <NewPasswordFields />
          </registration.Form>
        )}
        {invitation !== null && oidc_label !== undefined && (
          <OidcButton label={oidc_label} isOnly={password_login === "off"} invitation={invitation} />
        )}
      </Stack>
    </FormCard>
  );
}

function useInviter(token: string | null) {
  return useQuery({
    queryKey: [...keyOf(getInviter), token],
    queryFn: token === null ? skipToken : ({ signal }) => call(getInviter, { body: { token }, signal }),
  });
}

function InvitationNotice({ token }: { token: string }): ReactNode {
  const { group_name } = useGroup();
  const { data } = useInviter(token);
  if (data?.invitation === null)
    return <Notice tone="error">Diese Einladung gilt nicht mehr. Lass dir eine neue geben.</Notice>;
  const by = data?.invitation.by ?? null;
  return (
    <Notice tone="success">
      {by === null ? `Du bist zu „${group_name}“ eingeladen.` : `${by} lädt dich zu „${group_name}“ ein.`}
    </Notice>
  );
}

/** Hides a field that an `invitation` prefills, until its validation fails. */
function TokenField({ invitation }: { invitation: string | null }): ReactNode {
  const { group_name } = useGroup();
  const details = useRef<HTMLDetailsElement>(null);
  const isWrong = use(FormErrors)["token"] !== undefined;
  useEffect(() => {
    if (isWrong && details.current) details.current.open = true;
  }, [isWrong]);
  const field = (
    <registration.Field
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
