import { Link } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";

import { forgotPassword, resetPassword } from "#contract/password-reset.ts";
import { ApiError, call } from "#web/client/api.ts";
import { Form } from "#web/forms/form.tsx";
import { textsOf } from "#web/forms/use-form.ts";
import { removeLinkToken, useLinkToken } from "#web/page/link-token.ts";
import { showMessage } from "#web/page/messages.tsx";
import { useGroup } from "#web/page/session.ts";
import { navigate } from "#web/router/navigation.ts";
import { Field } from "#web/ui/field.tsx";
import { FormCard } from "#web/ui/form-card.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { Notice } from "#web/ui/notice.tsx";
import { Steps } from "#web/ui/steps.tsx";
import { NewPasswordFields } from "./account-fields.tsx";

export function PasswordResetPage(): ReactNode {
  const [token, setToken] = useLinkToken();
  const [problem, setProblem] = useState<string | null>(null);
  const rejectToken = (reason: string): void => {
    removeLinkToken();
    setProblem(reason);
    setToken(null);
  };
  return (
    <FormCard title="Passwort zurücksetzen" below={<Link to="/login">Zurück zum Login</Link>}>
      {token === null ? (
        <RequestLink problem={problem} />
      ) : (
        <NewPasswordForm key={token} token={token} onRejected={rejectToken} />
      )}
    </FormCard>
  );
}

/** `problem` says why the last link failed; `null` if none failed. */
function RequestLink({ problem }: { problem: string | null }): ReactNode {
  const { mail, password_login } = useGroup();
  const hasPassword = password_login !== "off";
  const canMail = mail && hasPassword;
  return (
    <Stack>
      {problem !== null && (
        <Notice tone="error">
          {problem} {canMail ? "Fordere einfach einen neuen Link an." : "Lass dir einfach einen neuen geben."}
        </Notice>
      )}
      {canMail ? (
        <MailForm />
      ) : hasPassword ? (
        <>
          <p>
            Dieser Server verschickt keine Mails. Den Link für ein neues Passwort gibt dir jemand aus deiner Gruppe:
          </p>
          <Steps>{askAdmin}</Steps>
        </>
      ) : (
        <p>
          Hier meldest du dich nur über den Anmeldedienst an. Kommst du nicht rein, frag jemanden, der eure Gruppe
          verwaltet.
        </p>
      )}
    </Stack>
  );
}

const askAdmin = [
  "Frag jemanden, der eure Gruppe verwaltet.",
  "In der Verwaltung lässt sich ein Link für dich machen.",
  "Öffne ihn und wähle ein neues Passwort. Er gilt nur kurz und nur einmal.",
];

function MailForm(): ReactNode {
  const [isAsked, setAsked] = useState(false);
  const send = async (values: FormData): Promise<void> => {
    const { message } = await call(forgotPassword, { body: textsOf(values, "email") });
    showMessage({ type: "success", text: message });
    setAsked(true);
  };
  return (
    <Form endpoint={forgotPassword} action="Link anfordern" onSend={send}>
      {isAsked && (
        <Notice>
          Schau in dein Postfach, auch in den Spam-Ordner. Der Link gilt 60 Minuten; kommt nach ein paar Minuten nichts
          an, probier es nochmal.
        </Notice>
      )}
      <Field
        label="E-Mail-Adresse"
        name="email"
        type="email"
        hint="Die, mit der du dich registriert hast."
        autoComplete="email"
        required
      />
    </Form>
  );
}

function NewPasswordForm({ token, onRejected }: { token: string; onRejected: (reason: string) => void }): ReactNode {
  const send = async (values: FormData): Promise<void> => {
    const body = { token, ...textsOf(values, "password", "password_confirmation") };
    try {
      const { message } = await call(resetPassword, { body });
      showMessage({ type: "success", text: message });
      // The address of this page contains the reset token.
      navigate("/login", { replace: true });
    } catch (error) {
      const reason = error instanceof ApiError ? error.errors["token"]?.[0] : undefined;
      if (reason === undefined) throw error;
      onRejected(reason);
    }
  };
  const { password_login } = useGroup();
  return (
    <Form endpoint={resetPassword} action="Passwort speichern" onSend={send} isAlwaysSent>
      {password_login === "off" && (
        <Notice>
          Gerade meldest du dich hier nur über den Anmeldedienst an. Das neue Passwort gilt erst, wenn die Anmeldung mit
          Passwort wieder eingeschaltet ist.
        </Notice>
      )}
      <NewPasswordFields label="Neues Passwort" />
    </Form>
  );
}
