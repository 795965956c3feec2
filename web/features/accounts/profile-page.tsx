import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { Camera, Download, FileJson, Sheet, Trash2, type LucideIcon } from "lucide-react";
import { useEffect, useId, useRef, useState, type ReactNode } from "react";

import { deleteAccount, exportAccount, exportBeers, type BeersOnDeletion } from "#contract/account.ts";
import { getOwnAccessLinks } from "#contract/member-management.ts";
import type { User } from "#contract/members.ts";
import { getPasskeys } from "#contract/passkeys.ts";
import { accountFields, changePassword, updateProfile } from "#contract/profile.ts";
import { call } from "#web/client/api.ts";
import { replyOptions } from "#web/client/queries.ts";
import { TapSettingsSection } from "#web/features/beers/tap-settings.tsx";
import { formFor } from "#web/page/form.tsx";
import { showMessage } from "#web/page/messages.tsx";
import { useReload } from "#web/page/queries.ts";
import { useClient, useGroup, useMember, usePageContext, usePermission } from "#web/page/session.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { QuietAction } from "#web/ui/button.tsx";
import { Card, CardPage } from "#web/ui/card.tsx";
import { Radio } from "#web/ui/choice.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { IconDisc } from "#web/ui/icons.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { ListItem } from "#web/ui/list.tsx";
import { Disclosure, Hint } from "#web/ui/text.tsx";
import { MemberFields, NewPasswordFields, type AccountField } from "./account-fields.tsx";
import { ApiTokensCard } from "./api-tokens-card.tsx";
import { accountKey, useAccountCall, useOidcLink } from "./api.ts";
import { canUsePasskeys } from "./login.ts";
import { PictureDialog, type PictureChoice } from "./picture-dialog.tsx";
import styles from "./profile-page.module.css";
import { describeEndingLinks } from "./rules.ts";
import { DevicesCard, EventsCard, OidcCard, PasskeysCard } from "./security-cards.tsx";
import { VisibilitySection } from "./visibility-section.tsx";

export function ProfilePage(): ReactNode {
  const user = useMember();
  const [choice, setChoice] = useState<PictureChoice | null>(null);
  const [isSaving, setSaving] = useState(false);
  if (user === null) return null;
  const saving: SavingProps = {
    isSaving,
    async save(send) {
      setSaving(true);
      return send().finally(() => setSaving(false));
    },
  };
  return (
    <>
      <CardPage title="Profil">
        <Card gap={5}>
          <button
            type="button"
            className={styles["picture"]}
            aria-label="Profilbild ändern"
            onClick={() => setChoice({ id: user.avatarId })}
          >
            <Avatar id={user.avatarId} name={user.name} size={144} />
            <span className={`touch-target ${styles["camera"]}`} aria-hidden="true">
              <Camera size={20} />
            </span>
          </button>
          <AccountForm user={user} {...saving} />
        </Card>
        <Stack gap={5}>
          <Card>
            <VisibilitySection user={user} />
          </Card>
          <Card>
            <TapSettingsSection />
          </Card>
          <Card>
            <PasswordForm {...saving} />
          </Card>
          <SecurityCard user={user} />
        </Stack>
      </CardPage>
      <PictureDialog member={user} choice={choice} onChoice={setChoice} />
    </>
  );
}

/** One form saves at a time. */
interface SavingProps {
  readonly isSaving: boolean;
  readonly save: (send: () => Promise<string>) => Promise<string>;
}

const account = formFor(updateProfile);

function AccountForm({ user, isSaving, save }: SavingProps & { user: User }): ReactNode {
  const client = useClient();
  const reload = useReload(accountKey);
  /** Unchanged fields show changes from other devices. */
  const [typed, setTyped] = useState<Partial<Record<AccountField, string>>>({});
  return (
    <account.Form
      action="Speichern"
      label="Profil"
      isDisabled={isSaving}
      readMore={(values) => ({ changed: accountFields.filter((name) => values.get(name) !== user[name]) })}
      onSend={(body) =>
        save(async () => {
          client.member.set((await call(updateProfile, { body })).data);
          setTyped({});
          await reload();
          return "Profil aktualisiert.";
        })
      }
    >
      <MemberFields
        bind={(name) => ({
          value: typed[name] ?? user[name],
          onChange: ({ target }) => setTyped({ ...typed, [name]: target.value }),
        })}
      />
    </account.Form>
  );
}

const password = formFor(changePassword);

function PasswordForm({ isSaving, save }: SavingProps): ReactNode {
  const heading = useId();
  const accountCall = useAccountCall();
  return (
    <Stack as="section" aria-labelledby={heading}>
      <h2 id={heading}>Passwort ändern</h2>
      <password.Form
        action="Passwort ändern"
        button={{ kind: "plain" }}
        isDisabled={isSaving}
        isAlwaysSent
        onSend={(body, form) =>
          save(async () => {
            const { message } = await accountCall(changePassword, { body });
            form.reset();
            return message;
          })
        }
      >
        <NewPasswordFields hint="Alle anderen Geräte werden abgemeldet." />
      </password.Form>
    </Stack>
  );
}

/** Opens and scrolls to a section for an address such as `/profile#passkeys`. */
function SecurityCard({ user }: { user: User }): ReactNode {
  const { oidc_label } = useGroup();
  const parts = useRef<HTMLDivElement>(null);
  const entry = useLocation({ select: ({ state }) => state.__TSR_key });
  useEffect(() => {
    if (location.hash === "") return;
    const part = parts.current?.querySelector(`:scope > [id="${CSS.escape(location.hash.slice(1))}"]`);
    const disclosure = part?.closest("details");
    if (!part || !disclosure) return;
    disclosure.open = true;
    part.scrollIntoView();
  }, [entry]);
  return (
    <Card gap={0}>
      <Disclosure
        title={
          <Stack gap={0}>
            <h2>Sicherheit und Daten</h2>
            <Hint className={styles["content"]}>Passkeys, Geräte, letzte Ereignisse, API-Tokens, alles über dich</Hint>
          </Stack>
        }
      >
        <div ref={parts} className={styles["parts"]}>
          <div id="passkeys">
            <PasskeysCard />
          </div>
          {oidc_label !== undefined && (
            <div id="sign-on">
              <OidcCard />
            </div>
          )}
          <div id="devices">
            <DevicesCard />
          </div>
          <div id="events">
            <EventsCard />
          </div>
          <div id="tokens">
            <ApiTokensCard />
          </div>
          <div id="data">
            <DataCard user={user} />
          </div>
        </div>
      </Disclosure>
    </Card>
  );
}

function DataCard({ user }: { user: User }): ReactNode {
  const heading = useId();
  const [isDeleting, setDeleting] = useState(false);
  const { data: passkeys = [], isPending } = useQuery(replyOptions(getPasskeys));
  const oidc = useOidcLink();
  const hasPasskey = canUsePasskeys() && passkeys.length > 0;
  return (
    <Stack as="section" aria-labelledby={heading}>
      <h2 id={heading}>Meine Daten</h2>
      <Stack as="ul" gap={3}>
        <DownloadLine
          icon={FileJson}
          href={exportAccount.path}
          title="Alles über mich"
          hint="Eine Datei, die andere Programme lesen können (JSON)"
        />
        <DownloadLine
          icon={Sheet}
          href={exportBeers.path}
          title="Meine Biere"
          hint="Eine Tabelle, zum Beispiel für Excel (CSV)"
        />
      </Stack>
      <QuietAction
        className={styles["delete"]}
        disabled={isPending || oidc.isLoading}
        onClick={() => setDeleting(true)}
      >
        <Trash2 size={20} />
        Account löschen …
      </QuietAction>
      <Dialog title="Account löschen" isOpen={isDeleting} onClose={() => setDeleting(false)}>
        <DeletionForm
          user={user}
          needsPassword={!hasPasskey && oidc.data?.has_password !== false}
          onClose={() => setDeleting(false)}
        />
      </Dialog>
    </Stack>
  );
}

interface DownloadLineProps {
  readonly icon: LucideIcon;
  readonly href: string;
  readonly title: string;
  readonly hint: string;
}

function DownloadLine({ icon, href, title, hint }: DownloadLineProps): ReactNode {
  return (
    <li>
      <ListItem as="a" href={href} download picture={<IconDisc icon={icon} />} end={<Download size={22} />}>
        <strong>{title}</strong>
        <Hint as="span">{hint}</Hint>
      </ListItem>
    </li>
  );
}

const deletion = formFor(deleteAccount);

interface DeletionFormProps {
  readonly user: User;
  /** `false` with a passkey or OpenID, for which the server asks after the request. */
  readonly needsPassword: boolean;
  readonly onClose: () => void;
}

function DeletionForm({ user, needsPassword, onClose }: DeletionFormProps): ReactNode {
  const { endSession } = usePageContext();
  const { data: links } = useQuery({ ...replyOptions(getOwnAccessLinks), enabled: usePermission("admin") });
  const ending = links ? describeEndingLinks(links, "dir") : null;
  return (
    <deletion.DialogForm
      action="Endgültig löschen"
      kind="danger"
      onSend={async (body) => {
        const { message } = await endSession(() => call(deleteAccount, { body }));
        showMessage({ type: "info", text: message });
      }}
      onClose={onClose}
    >
      <p>
        Dein Profil, deine Bilder, deine geöffneten Türchen und alle Anmeldungen werden sofort gelöscht.{" "}
        <strong>Das lässt sich nicht rückgängig machen.</strong>
      </p>
      {ending !== null && <p>{ending}</p>}
      <Stack as="fieldset" gap={2}>
        <legend>Was wird aus deinen Bieren?</legend>
        {choices.map(([value, title, hint]) => (
          <Radio key={value} name="beers" value={value} label={title} hint={hint} defaultChecked={value === "keep"} />
        ))}
      </Stack>
      <deletion.Field
        label="Zur Sicherheit: dein Benutzername"
        name="uname"
        placeholder={user.uname}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      {needsPassword && (
        <deletion.Field
          label="Dein Passwort"
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
      )}
    </deletion.DialogForm>
  );
}

const choices: readonly [value: BeersOnDeletion, title: string, hint: string][] = [
  [
    "keep",
    "Meine Biere bleiben im Zähler",
    "Sie zählen weiter für die Gruppe, als „Ehemaliges Mitglied“ und ohne deinen Namen.",
  ],
  ["remove", "Meine Biere verschwinden", "Der Zähler und alle Diagramme werden um deine Biere kleiner."],
];
