import { Link, useNavigate } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";

import { forgotPassword, resetPassword } from "#contract/password-reset.ts";
import { ApiError, call } from "#web/client/api.ts";
import { formFor } from "#web/page/form.tsx";
import { removeLinkToken, useLinkToken } from "#web/page/link-token.ts";
import { useGroup } from "#web/page/session.ts";
import { FormCard } from "#web/ui/card.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { Notice, Steps } from "#web/ui/text.tsx";
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

/** `problem` says why the last link failed. */
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

const request = formFor(forgotPassword);

function MailForm(): ReactNode {
  const [isAsked, setAsked] = useState(false);
  return (
    <request.Form
      action="Link anfordern"
      onSend={async (body) => {
        const { message } = await call(forgotPassword, { body });
        setAsked(true);
        return message;
      }}
    >
      {isAsked && (
        <Notice>
          Schau in dein Postfach, auch in den Spam-Ordner. Der Link gilt 60 Minuten; kommt nach ein paar Minuten nichts
          an, probier es nochmal.
        </Notice>
      )}
      <request.Field
        name="email"
        type="email"
        hint="Die, mit der du dich registriert hast."
        autoComplete="email"
        required
      />
    </request.Form>
  );
}

const reset = formFor(resetPassword);

function NewPasswordForm({ token, onRejected }: { token: string; onRejected: (reason: string) => void }): ReactNode {
  const navigate = useNavigate();
  const { password_login } = useGroup();
  return (
    <reset.Form
      action="Passwort speichern"
      isAlwaysSent
      readMore={() => ({ token })}
      onSend={async (body) => {
        try {
          const { message } = await call(resetPassword, { body });
          // This address contains the reset token.
          await navigate({ to: "/login", replace: true });
          return message;
        } catch (error) {
          const reason = error instanceof ApiError ? error.errors["token"]?.[0] : undefined;
          if (reason === undefined) throw error;
          onRejected(reason);
        }
      }}
    >
      {password_login === "off" && (
        <Notice>
          Gerade meldest du dich hier nur über den Anmeldedienst an. Das neue Passwort gilt erst, wenn die Anmeldung mit
          Passwort wieder eingeschaltet ist.
        </Notice>
      )}
      <NewPasswordFields label="Neues Passwort" />
    </reset.Form>
  );
}
