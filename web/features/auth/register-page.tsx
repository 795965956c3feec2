import { use, useEffect, useRef, type ReactNode } from "react";

import { register } from "#contract/invitations.ts";
import { showFlash } from "#web/platform/flash.tsx";
import { Form } from "#web/platform/form.tsx";
import { useLinkToken } from "#web/platform/link-token.ts";
import { navigate } from "#web/platform/location.ts";
import { PageLink } from "#web/platform/page-link.tsx";
import { textsOf } from "#web/platform/use-form.ts";
import { Field, FormErrors } from "#web/ui/field.tsx";
import { FormCard } from "#web/ui/form-card.tsx";
import { MemberFields } from "#web/ui/member-fields.tsx";
import { NewPasswordFields } from "#web/ui/new-password-fields.tsx";
import { Notice } from "#web/ui/notice.tsx";
import { createAccount } from "./actions.ts";
import styles from "./register-page.module.css";

export function RegisterPage(): ReactNode {
  const [invitation] = useLinkToken();
  const send = async (values: FormData): Promise<void> => {
    const body = textsOf(values, "token", "uname", "name", "email", "password", "password_confirmation");
    await createAccount(body);
    showFlash({ type: "success", text: "Willkommen in der Runde! Jetzt kannst du dich anmelden." });
    // The token leaves the history with this entry.
    navigate("/login", { replace: true });
  };
  return (
    <FormCard title="Account erstellen" below={<PageLink href="/login">Du hast schon einen? Zum Login</PageLink>}>
      <Form endpoint={register} action="Account erstellen" onSend={send}>
        <TokenField key={invitation} invitation={invitation} />
        <MemberFields />
        <NewPasswordFields label="Passwort" />
      </Form>
    </FormCard>
  );
}

/** `invitation`: the token that the link brought along, or null. Out of sight where there is one, until something is wrong with it. */
function TokenField({ invitation }: { invitation: string | null }): ReactNode {
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
      hint="Steht in deiner Einladung."
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
        <Notice tone="success">Deine Einladung ist dabei.</Notice>
      </summary>
      {field}
    </details>
  );
}
