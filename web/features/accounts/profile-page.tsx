import { useLocation } from "@tanstack/react-router";
import { Camera, Download, FileJson, Sheet, Trash2, type LucideIcon } from "lucide-react";
import { useEffect, useId, useRef, useState, type ReactNode } from "react";

import {
  deleteAccount as deleteAccountEndpoint,
  exportAccount,
  exportBeers,
  type BeersOnDeletion,
} from "#contract/account.ts";
import type { User } from "#contract/members.ts";
import { accountFields, changePassword as changePasswordEndpoint, updateProfile } from "#contract/profile.ts";
import { canUsePasskeys } from "#web/features/accounts/passkey-support.ts";
import { Form } from "#web/forms/form.tsx";
import { textsOf } from "#web/forms/use-form.ts";
import { Confirm } from "#web/page/confirm.tsx";
import { showMessage } from "#web/page/messages.tsx";
import { useCurrentMember, useGroup, useMember } from "#web/page/session.ts";
import { describeEndingLinks } from "#web/shared/access-links.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Card, CardPage } from "#web/ui/card.tsx";
import { Disclosure } from "#web/ui/disclosure.tsx";
import { Field } from "#web/ui/field.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { IconDisc } from "#web/ui/icon-disc.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { ListItem } from "#web/ui/list-item.tsx";
import { usePlaceholder } from "#web/ui/placeholder.tsx";
import { QuietAction } from "#web/ui/quiet-action.tsx";
import { MemberFields, NewPasswordFields } from "./account-fields.tsx";
import { ApiTokensCard } from "./api-tokens-card.tsx";
import { changePassword, deleteAccount, saveProfile, useOidcLink, useOwnAccessLinks, usePasskeys } from "./api.ts";
import { PictureDialog, type PictureChoice } from "./picture-dialog.tsx";
import styles from "./profile-page.module.css";
import { DevicesCard, EventsCard, OidcCard, PasskeysCard } from "./security-cards.tsx";

export function ProfilePage(): ReactNode {
  const user = useMember();
  const [choice, setChoice] = useState<PictureChoice | null>(null);
  const [isSaving, setSaving] = useState(false);
  if (user === null) return null;
  const form = { isSaving, onSaving: setSaving };
  return (
    <>
      <CardPage title="Profil">
        <Card gap={5}>
          <button
            type="button"
            className={styles["picture"]}
            aria-label="Profilbild ändern"
            onClick={() => setChoice({ id: user.profile_picture })}
          >
            <Avatar id={user.profile_picture} name={user.name} size={144} />
            <span className={`touch-target ${styles["camera"]}`} aria-hidden="true">
              <Camera size={20} />
            </span>
          </button>
          <AccountForm key={user.id} user={user} {...form} />
        </Card>
        <Stack gap={5}>
          <Card>
            <PasswordForm {...form} />
          </Card>
          <SecurityCard user={user} />
        </Stack>
      </CardPage>
      <PictureDialog member={user} choice={choice} onChoice={setChoice} />
    </>
  );
}

/** While one form of the page saves, the others are disabled. */
interface SavingProps {
  readonly isSaving: boolean;
  readonly onSaving: (isSaving: boolean) => void;
}

function AccountForm({ user, isSaving, onSaving }: SavingProps & { user: User }): ReactNode {
  const member = useCurrentMember(user);
  const [typed, setTyped] = useState<Partial<User>>({});
  const send = async (values: FormData): Promise<void> => {
    onSaving(true);
    try {
      const texts = textsOf(values, ...accountFields);
      await saveProfile({ ...texts, changed: accountFields.filter((name) => texts[name] !== member[name]) });
      setTyped({});
      showMessage({ type: "success", text: "Profil aktualisiert." });
    } finally {
      onSaving(false);
    }
  };
  return (
    <Form endpoint={updateProfile} action="Speichern" onSend={send} label="Profil" isDisabled={isSaving}>
      <MemberFields
        values={{ ...member, ...typed }}
        onChange={({ target }) => setTyped({ ...typed, [target.name]: target.value })}
      />
    </Form>
  );
}

function PasswordForm({ isSaving, onSaving }: SavingProps): ReactNode {
  const heading = useId();
  const send = async (values: FormData, form: HTMLFormElement): Promise<void> => {
    onSaving(true);
    try {
      await changePassword(textsOf(values, "password", "password_confirmation"));
      form.reset();
      showMessage({ type: "success", text: "Passwort aktualisiert." });
    } finally {
      onSaving(false);
    }
  };
  return (
    <Stack as="section" aria-labelledby={heading}>
      <h2 id={heading}>Passwort ändern</h2>
      <Form
        endpoint={changePasswordEndpoint}
        action="Speichern"
        button={{ kind: "plain", "aria-describedby": heading }}
        onSend={send}
        isDisabled={isSaving}
        isAlwaysSent
      >
        <NewPasswordFields label="Passwort" hint="Alle anderen Geräte werden abgemeldet." />
      </Form>
    </Stack>
  );
}

/** An address such as `/profile#passkeys` opens the disclosure and scrolls to that section. */
function SecurityCard({ user }: { user: User }): ReactNode {
  const isPlaceholder = usePlaceholder();
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
          {oidc_label !== undefined && !isPlaceholder && (
            <div id="anmeldedienst">
              <OidcCard />
            </div>
          )}
          <div id="geraete">
            <DevicesCard />
          </div>
          <div id="zuletzt">
            <EventsCard />
          </div>
          <div id="tokens">
            <ApiTokensCard />
          </div>
          <div id="daten">
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
  const { data: passkeys = [], isPending } = usePasskeys();
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
        // Passkeys and linked identity decide how the member confirms the deletion.
        disabled={isPending || oidc.isLoading}
        onClick={() => setDeleting(true)}
      >
        <Trash2 size={20} />
        Account löschen …
      </QuietAction>
      <DeleteDialog
        user={user}
        needsPassword={!hasPasskey && oidc.data?.has_password !== false}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
      />
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

interface DeleteDialogProps {
  readonly user: User;
  /** `false` if the member confirms with a passkey or at the OpenID provider. */
  readonly needsPassword: boolean;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function DeleteDialog({ user, needsPassword, isOpen, onClose }: DeleteDialogProps): ReactNode {
  const links = useOwnAccessLinks(user, isOpen);
  const ending = links && describeEndingLinks(links, "dir");
  return (
    <Confirm
      endpoint={deleteAccountEndpoint}
      title="Account löschen"
      isOpen={isOpen}
      action="Endgültig löschen"
      // Without the password field, the deletion request asks for a passkey or a login with OpenID.
      passwordLabel={needsPassword ? "Dein Passwort" : undefined}
      onConfirm={async (values) => {
        const proof = needsPassword ? textsOf(values, "password") : {};
        const { uname, beers } = textsOf(values, "uname", "beers");
        const text = await deleteAccount({ uname, ...proof, beers: beers as BeersOnDeletion });
        showMessage({ type: "info", text });
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
          <label key={value} className={styles["choice"]}>
            <input
              type="radio"
              name="beers"
              value={value}
              className={styles["radio"]}
              defaultChecked={value === "keep"}
            />
            {title}
            <Hint as="span" className={styles["hint"]}>
              {hint}
            </Hint>
          </label>
        ))}
      </Stack>
      <Field
        label="Zur Sicherheit: dein Benutzername"
        name="uname"
        placeholder={user.uname}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
    </Confirm>
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
