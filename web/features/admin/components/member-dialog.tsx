import { KeyRound, Lock, LockOpen } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { ManagedMember } from "#contract/admin-members.ts";
import { useSession } from "#web/platform/session.ts";
import { useMutation } from "#web/platform/use-mutation.ts";
import { describeEndingLinks } from "#web/ui/access-links.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { formatBeers, formatDate, timeAgo } from "#web/ui/german.ts";

import { createResetLink, reloadMembers, setDisabled, setPermissions, type OneTimeLink } from "../queries.ts";
import { togglePermission, formatDateTime } from "../rules.ts";
import styles from "./member-dialog.module.css";
import { PermissionSwitches } from "./permission-switches.tsx";
import { ShareLink } from "./share-link.tsx";

interface MemberDialogProps {
  /** Null: closed. */
  readonly member: ManagedMember | null;
  readonly onClose: () => void;
}

/** One member: who that is, what he or she may do, and what can be done about it. */
export function MemberDialog({ member, onClose }: MemberDialogProps): ReactNode {
  return (
    <Dialog title={member?.name ?? ""} isOpen={member !== null} onClose={onClose}>
      {member !== null && <MemberDetails key={member.id} member={member} onClose={onClose} />}
    </Dialog>
  );
}

function MemberDetails({ member, onClose }: { member: ManagedMember; onClose: () => void }): ReactNode {
  const [link, setLink] = useState<OneTimeLink | null>(null);
  const [asked, setAsked] = useState<"lock" | "demote" | null>(null);
  const isMe = useSession().user?.id === member.id;
  const permit = useMutation(setPermissions);
  const lock = useMutation(setDisabled);
  const linkUp = useMutation(async () => setLink(await createResetLink(member.id)));
  const isBusy = [permit, lock, linkUp].some(({ pending }) => pending !== null);

  if (link) return <ResetLink name={member.name} link={link} onClose={onClose} />;
  const ask = (what: "lock" | "demote"): void => {
    setAsked(what);
    // What the member has open may have changed since the list was loaded.
    void reloadMembers();
  };
  const question = { member, maker: isMe ? "dir" : member.name, isBusy, onCancel: () => setAsked(null) };
  if (asked === "lock") {
    const lockOut = async (): Promise<void> => {
      if (await lock.run(member.id, true)) setAsked(null);
    };
    return (
      <ConfirmStep {...question} confirmLabel="Sperren" onConfirm={() => void lockOut()}>
        {member.name} fliegt überall sofort raus und kommt nicht mehr rein, bis du die Sperre aufhebst. Die Biere
        bleiben im Zähler der Gruppe.
      </ConfirmStep>
    );
  }
  if (asked === "demote") {
    const demote = async (): Promise<void> => {
      if (await permit.run(member.id, togglePermission(member.permissions, "admin", false))) setAsked(null);
    };
    return (
      <ConfirmStep {...question} confirmLabel="Entziehen" onConfirm={() => void demote()}>
        {isMe ? "Du kommst" : `${member.name} kommt`} nicht mehr in die Verwaltung, bis jemand das Recht wieder vergibt.
      </ConfirmStep>
    );
  }
  return (
    <div className={styles["sheet"]}>
      <Facts member={member} />
      <PermissionSwitches
        legend="Rechte"
        held={permit.pending?.[1] ?? member.permissions}
        disabled={isBusy || member.disabled}
        onChange={(held) => {
          if (member.permissions.includes("admin") && !held.includes("admin")) ask("demote");
          else void permit.run(member.id, held);
        }}
      />
      <div className={styles["actions"]}>
        {!member.disabled && (
          <Button isWide isBusy={linkUp.pending !== null} disabled={isBusy} onClick={() => void linkUp.run()}>
            <KeyRound size={20} aria-hidden="true" />
            Link für neues Passwort
          </Button>
        )}
        {member.disabled && (
          <Button isWide isBusy={lock.pending !== null} onClick={() => void lock.run(member.id, false)}>
            <LockOpen size={20} aria-hidden="true" />
            Sperre aufheben
          </Button>
        )}
        {!member.disabled && !isMe && (
          <Button kind="danger" isWide disabled={isBusy} onClick={() => ask("lock")}>
            <Lock size={20} aria-hidden="true" />
            Sperren …
          </Button>
        )}
      </div>
    </div>
  );
}

interface ConfirmStepProps {
  readonly member: ManagedMember;
  /** Whose links end with it. */
  readonly maker: string;
  readonly confirmLabel: string;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
  /** What will happen. */
  readonly children: ReactNode;
}

/** Asks once more, and says what the member opened and what ends with it. */
function ConfirmStep({
  member,
  maker,
  confirmLabel,
  isBusy,
  onConfirm,
  onCancel,
  children,
}: ConfirmStepProps): ReactNode {
  const ending = describeEndingLinks(member.access_links, maker);
  return (
    <div className={styles["sheet"]}>
      <p>{children}</p>
      {ending !== null && <p>{ending}</p>}
      <div className={styles["ends"]}>
        <Button disabled={isBusy} onClick={onCancel}>
          Abbrechen
        </Button>
        <Button kind="danger" isBusy={isBusy} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </div>
    </div>
  );
}

function Facts({ member }: { member: ManagedMember }): ReactNode {
  const { uname, email, beers, created_at, last_seen_at, invitation } = member;
  const facts: [string, string][] = [
    ["Benutzername", uname],
    ["E-Mail", email],
    ["Getrunken", formatBeers(beers)],
    ["Dabei seit", formatDate(created_at, "date")],
    ["Zuletzt da", last_seen_at === null ? "noch nie" : timeAgo(Date.parse(last_seen_at), Date.now())],
    ...(invitation ? [["Eingeladen von", invitation.by ?? "der Befehlszeile"] as [string, string]] : []),
  ];
  return (
    <div className={styles["facts"]}>
      <Avatar id={member.avatarId} name={member.name} size={72} />
      <dl className={styles["list"]}>
        {facts.map(([term, fact]) => (
          <div key={term} className={styles["fact"]}>
            <dt>{term}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function ResetLink({ name, link, onClose }: { name: string; link: OneTimeLink; onClose: () => void }): ReactNode {
  return (
    <ShareLink url={link.url} title="Link für ein neues Passwort" onClose={onClose}>
      <p>
        Damit legt {name} ein neues Passwort fest. Gilt einmal, bis {formatDateTime(link.expires_at)}. Gib ihn niemand
        anderem: Er wird nur jetzt gezeigt.
      </p>
    </ShareLink>
  );
}
