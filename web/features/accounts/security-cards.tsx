import { KeyRound, LogIn, Pencil, Trash2 } from "lucide-react";
import { useId, useState, type ReactNode } from "react";

import type { AccountEventKind } from "#contract/account-events.ts";
import type { Passkey } from "#contract/passkeys.ts";
import { loadOidc } from "#web/features/accounts/load-login.ts";
import { canUsePasskeys } from "#web/features/accounts/passkey-support.ts";
import { useAction } from "#web/forms/use-action.ts";
import { textOf } from "#web/forms/use-form.ts";
import { Confirm } from "#web/page/confirm.tsx";
import { useGroup } from "#web/page/session.ts";
import { DeviceItem } from "#web/shared/device-item.tsx";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/field.tsx";
import { formatDate, timeAgo } from "#web/ui/german.ts";
import { Hint } from "#web/ui/hint.tsx";
import { Row, Stack } from "#web/ui/layout.tsx";
import { List } from "#web/ui/list.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import {
  createPasskey,
  endDevice,
  endOtherDevices,
  removeOidcLink,
  removePasskey,
  renamePasskey,
  useAccountEvents,
  useDevices,
  useOidcLink,
  usePasskeys,
} from "./api.ts";

export function PasskeysCard(): ReactNode {
  const heading = useId();
  const passkeys = usePasskeys();
  const [isAdding, setAdding] = useState(false);
  const [renamed, setRenamed] = useState<Passkey | null>(null);
  const [removed, setRemoved] = useState<Passkey | null>(null);
  return (
    <Stack as="section" aria-labelledby={heading}>
      <Stack gap={2}>
        <h2 id={heading}>Passkeys</h2>
        <Hint>Melde dich mit Gesicht, Finger oder PIN an. Dein Passwort gilt weiter.</Hint>
        <QueryState
          query={passkeys}
          failedText="Die Passkeys konnten gerade nicht geladen werden."
          skeleton={<Skeleton size="large" />}
        >
          {(all) => (
            <List>
              {all.map((passkey) => (
                <DeviceItem
                  key={passkey.id}
                  name={passkey.name}
                  icon={KeyRound}
                  detail={describeUse(passkey.last_used_at)}
                >
                  <Button aria-label={`${passkey.name} umbenennen`} onClick={() => setRenamed(passkey)}>
                    <Pencil size={20} />
                  </Button>
                  <Button aria-label={`${passkey.name} entfernen`} onClick={() => setRemoved(passkey)}>
                    <Trash2 size={20} />
                  </Button>
                </DeviceItem>
              ))}
            </List>
          )}
        </QueryState>
      </Stack>
      {canUsePasskeys() ? (
        <Button isWide onClick={() => setAdding(true)}>
          <KeyRound size={20} />
          Passkey anlegen
        </Button>
      ) : (
        <Hint>Dieser Browser kann hier keine Passkeys anlegen.</Hint>
      )}
      <Confirm
        title="Passkey anlegen"
        isOpen={isAdding}
        action="Weiter"
        kind="primary"
        onConfirm={(values) => createPasskey(textOf(values, "name"))}
        onClose={() => setAdding(false)}
      >
        <p>Wie soll er heißen? Danach fragt dich dein Gerät.</p>
        <PasskeyName />
      </Confirm>
      <Confirm
        title="Passkey umbenennen"
        isOpen={renamed !== null}
        action="Speichern"
        kind="primary"
        onConfirm={(values) => renamePasskey(renamed!.id, textOf(values, "name"))}
        onClose={() => setRenamed(null)}
      >
        <PasskeyName name={renamed?.name} />
      </Confirm>
      <Confirm
        title="Passkey entfernen"
        isOpen={removed !== null}
        action="Entfernen"
        onConfirm={() => removePasskey(removed!.id)}
        onClose={() => setRemoved(null)}
      >
        <p>Mit „{removed?.name}“ kommst du dann nicht mehr rein, mit deinem Passwort schon.</p>
      </Confirm>
    </Stack>
  );
}

function PasskeyName({ name = "" }: { name?: string | undefined }): ReactNode {
  return (
    <Field
      label="Name"
      name="name"
      defaultValue={name}
      placeholder="Handy"
      maxLength={64}
      autoComplete="off"
      required
    />
  );
}

function describeUse(lastUsedAt: string | null): string {
  return lastUsedAt === null ? "Noch nie benutzt" : `Benutzt ${timeAgo(Date.parse(lastUsedAt), Date.now())}`;
}

export function OidcCard(): ReactNode {
  const heading = useId();
  const link = useOidcLink();
  const { password_login } = useGroup();
  const [isRemoving, setRemoving] = useState(false);
  const start = useAction(async () => (await loadOidc()).startLink());
  return (
    <Stack as="section" aria-labelledby={heading}>
      <Stack gap={2}>
        <h2 id={heading}>Anmeldedienst</h2>
        <Hint>Melde dich mit deinem Konto beim Anmeldedienst deiner Gruppe an.</Hint>
        <QueryState
          query={link}
          failedText="Die Verbindung konnte gerade nicht geladen werden."
          skeleton={<Skeleton size="large" />}
        >
          {({ identity }) =>
            identity === null ? (
              <Button isWide isBusy={start.isPending} onClick={() => void start.run()}>
                <LogIn size={20} />
                Account verbinden
              </Button>
            ) : (
              <List>
                <DeviceItem
                  name={`Verbunden seit ${formatDate(identity.created_at, "date")}`}
                  icon={LogIn}
                  detail={describeUse(identity.last_used_at)}
                >
                  {password_login !== "off" && (
                    <Button aria-label="Verbindung trennen" onClick={() => setRemoving(true)}>
                      <Trash2 size={20} />
                    </Button>
                  )}
                </DeviceItem>
              </List>
            )
          }
        </QueryState>
      </Stack>
      <Confirm
        title="Verbindung trennen"
        isOpen={isRemoving}
        action="Trennen"
        onConfirm={removeOidcLink}
        onClose={() => setRemoving(false)}
      >
        <p>Du meldest dich dann nur noch mit Passwort oder Passkey an. Dein Konto beim Anmeldedienst bleibt.</p>
      </Confirm>
    </Stack>
  );
}

export function DevicesCard(): ReactNode {
  const heading = useId();
  const devices = useDevices();
  const end = useAction(endDevice);
  const endOthers = useAction(endOtherDevices);
  const isBusy = end.isPending || endOthers.isPending;
  const hasOthers = devices.data?.some(({ current }) => !current) === true;
  return (
    <Stack as="section" aria-labelledby={heading}>
      <Stack gap={3}>
        <h2 id={heading}>Angemeldete Geräte</h2>
        <QueryState
          query={devices}
          failedText="Die Geräte konnten gerade nicht geladen werden."
          skeleton={<Skeleton size="large" />}
        >
          {(all) => (
            <List>
              {all.map(({ id, device: name, current, last_seen_at }) => (
                <DeviceItem
                  key={id}
                  name={name}
                  isThisOne={current}
                  detail={
                    current ? null : (
                      <time dateTime={last_seen_at}>Aktiv {timeAgo(Date.parse(last_seen_at), Date.now())}</time>
                    )
                  }
                >
                  {!current && (
                    <Button
                      aria-label={`${name} abmelden`}
                      isBusy={end.pending?.[0] === id}
                      disabled={isBusy}
                      onClick={() => void end.run(id)}
                    >
                      Abmelden
                    </Button>
                  )}
                </DeviceItem>
              ))}
            </List>
          )}
        </QueryState>
      </Stack>
      {hasOthers && (
        <Button
          kind="danger"
          isWide
          isBusy={endOthers.isPending}
          disabled={isBusy}
          onClick={() => void endOthers.run()}
        >
          Alle anderen abmelden
        </Button>
      )}
    </Stack>
  );
}

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
