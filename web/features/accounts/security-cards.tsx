import { useMutation, useQuery } from "@tanstack/react-query";
import { KeyRound, LogIn, Pencil, Trash2 } from "lucide-react";
import { useId, useState, type ReactNode } from "react";

import { getAccountEvents, type AccountEventKind } from "#contract/account-events.ts";
import { removeOidcLink, startOidcLink } from "#contract/oidc.ts";
import { getPasskeys, removePasskey, renamePasskey, type Passkey } from "#contract/passkeys.ts";
import { endDevice, endOtherDevices, getDevices } from "#contract/profile.ts";
import { call } from "#web/client/api.ts";
import { replyOptions } from "#web/client/queries.ts";
import { Confirm } from "#web/page/confirm.tsx";
import { formFor } from "#web/page/form.tsx";
import { useReload } from "#web/page/queries.ts";
import { useGroup } from "#web/page/session.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { formatDate, timeAgo } from "#web/ui/german.ts";
import { Row, Stack } from "#web/ui/layout.tsx";
import { DeviceItem, List } from "#web/ui/list.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { Hint } from "#web/ui/text.tsx";
import { accountKey, useAccountCall, useOidcLink } from "./api.ts";
import { canUsePasskeys, createPasskey, openProvider } from "./login.ts";

export function PasskeysCard(): ReactNode {
  const heading = useId();
  const passkeys = useQuery(replyOptions(getPasskeys));
  const accountCall = useAccountCall();
  const reload = useReload(accountKey);
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
      <Dialog title="Passkey anlegen" isOpen={isAdding} onClose={() => setAdding(false)}>
        <PasskeyForm
          action="Weiter"
          onSend={async (name) => {
            const message = await createPasskey(name);
            await reload();
            return message;
          }}
          onClose={() => setAdding(false)}
        >
          <p>Wie soll er heißen? Danach fragt dich dein Gerät.</p>
        </PasskeyForm>
      </Dialog>
      <Dialog title="Passkey umbenennen" isOpen={renamed !== null} onClose={() => setRenamed(null)}>
        <PasskeyForm
          action="Speichern"
          name={renamed?.name}
          onSend={async (name) =>
            (await accountCall(renamePasskey, { params: { id: renamed!.id }, body: { name } })).message
          }
          onClose={() => setRenamed((now) => (now === renamed ? null : now))}
        />
      </Dialog>
      <Confirm
        title="Passkey entfernen"
        isOpen={removed !== null}
        action="Entfernen"
        onConfirm={async () => (await accountCall(removePasskey, { params: { id: removed!.id } })).message}
        onClose={() => setRemoved(null)}
      >
        <p>Mit „{removed?.name}“ kommst du dann nicht mehr rein, mit deinem Passwort schon.</p>
      </Confirm>
    </Stack>
  );
}

const naming = formFor(renamePasskey);

interface PasskeyFormProps {
  readonly action: string;
  readonly name?: string | undefined;
  readonly onSend: (name: string) => Promise<string>;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

function PasskeyForm({ action, name, onSend, onClose, children }: PasskeyFormProps): ReactNode {
  return (
    <naming.DialogForm
      action={action}
      onSend={async (body) => {
        const message = await onSend(body.name);
        onClose();
        return message;
      }}
      onClose={onClose}
    >
      {children}
      <naming.Field name="name" defaultValue={name} placeholder="Handy" maxLength={64} autoComplete="off" required />
    </naming.DialogForm>
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
  const accountCall = useAccountCall();
  const start = useMutation({ mutationFn: async () => openProvider(await call(startOidcLink)) });
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
              <Button isWide isBusy={start.isPending} onClick={() => start.mutate()}>
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
        onConfirm={async () => (await accountCall(removeOidcLink)).message}
        onClose={() => setRemoving(false)}
      >
        <p>Du meldest dich dann nur noch mit Passwort oder Passkey an. Dein Konto beim Anmeldedienst bleibt.</p>
      </Confirm>
    </Stack>
  );
}

export function DevicesCard(): ReactNode {
  const heading = useId();
  const devices = useQuery(replyOptions(getDevices));
  const accountCall = useAccountCall();
  const end = useMutation({
    mutationFn: async (id: string) => (await accountCall(endDevice, { params: { id } })).message,
  });
  const endOthers = useMutation({ mutationFn: async () => (await accountCall(endOtherDevices)).message });
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
                      isBusy={end.isPending && end.variables === id}
                      disabled={isBusy}
                      onClick={() => end.mutate(id)}
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
        <Button kind="danger" isWide isBusy={endOthers.isPending} disabled={isBusy} onClick={() => endOthers.mutate()}>
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
  const events = useQuery(replyOptions(getAccountEvents));
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
