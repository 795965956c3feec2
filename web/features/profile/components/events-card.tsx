import { useId, useState, type ReactNode } from "react";

import type { AccountEventKind } from "#contract/account-events.ts";
import { Button } from "#web/ui/button.tsx";
import { timeAgo } from "#web/ui/german.ts";
import { Hint } from "#web/ui/hint.tsx";
import { Row, Stack } from "#web/ui/layout.tsx";
import { List } from "#web/ui/list.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { useAccountEvents } from "../queries.ts";

const kindLabels: Record<AccountEventKind, string> = {
  login: "Angemeldet",
  "passkey-login": "Mit Passkey angemeldet",
  "oidc-login": "Mit dem Anmeldedienst angemeldet",
  "oidc-linked": "Anmeldedienst verbunden",
  "oidc-unlinked": "Anmeldedienst getrennt",
  "passkey-added": "Passkey angelegt",
  "passkey-removed": "Passkey entfernt",
  "token-added": "API-Token angelegt",
  "token-revoked": "API-Token widerrufen",
  "password-changed": "Passwort geändert",
  "password-reset": "Passwort mit einem Link neu gesetzt",
  "email-changed": "E-Mail-Adresse geändert",
};

const shownAtFirst = 5;

/**
 * Lists logins and security changes of the account, so that the member notices what someone else
 * did.
 */
export function EventsCard(): ReactNode {
  const heading = useId();
  const events = useAccountEvents();
  const [isWhole, setWhole] = useState(false);
  return (
    <Stack as="section" aria-labelledby={heading}>
      <Stack gap={2}>
        <h2 id={heading}>Zuletzt in deinem Account</h2>
        <Hint>Etwas davon warst du nicht? Dann ändere gleich dein Passwort.</Hint>
      </Stack>
      <QueryState
        query={events}
        failedText="Die Ereignisse konnten gerade nicht geladen werden."
        skeleton={<Skeleton size="large" />}
        emptyText="In den letzten 90 Tagen war nichts."
      >
        {(all) => (
          <>
            <List>
              {(isWhole ? all : all.slice(0, shownAtFirst)).map(({ id, at, kind, device }) => (
                <Row as="li" key={id} data-justify="between">
                  <Stack as="span" gap={0}>
                    {kindLabels[kind]}
                    <Hint as="span">{device}</Hint>
                  </Stack>
                  <Hint as="time" dateTime={at}>
                    {timeAgo(Date.parse(at), Date.now())}
                  </Hint>
                </Row>
              ))}
            </List>
            {all.length > shownAtFirst && !isWhole && (
              <Button isWide onClick={() => setWhole(true)}>
                Alle zeigen
              </Button>
            )}
          </>
        )}
      </QueryState>
    </Stack>
  );
}
