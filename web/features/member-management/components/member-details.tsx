import { KeyRound, Lock, LockOpen, Pencil } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { Permission } from "#contract/endpoint.ts";
import { makeResetLink, setDisabled, setPermissions, type ManagedMember } from "#contract/member-management.ts";
import { call } from "#web/data/api.ts";
import { ConfirmStep } from "#web/forms/confirm.tsx";
import { useAction } from "#web/forms/use-action.ts";
import { useGroup, useSession } from "#web/session/session.ts";
import { describeEndingLinks } from "#web/shared/access-links.ts";
import { PermissionSwitches } from "#web/shared/admin/permission-switches.tsx";
import { togglePermission } from "#web/shared/admin/permissions.ts";
import { change, reloadAdmin, type OneTimeLink } from "#web/shared/admin/queries.ts";
import { ShareLink } from "#web/shared/share-link.tsx";
import { Avatar } from "#web/ui/avatar.tsx";
import { Button } from "#web/ui/button.tsx";
import { DialogActions } from "#web/ui/dialog.tsx";
import { formatBeers, formatDate, formatTimeOfDay, timeAgo } from "#web/ui/german.ts";
import { Row, Stack } from "#web/ui/layout.tsx";
import { CorrectionStep } from "./correction-step.tsx";
import styles from "./member-details.module.css";

interface MemberDetailsProps {
  readonly member: ManagedMember;
  readonly onClose: () => void;
}

/** Shows a member's data and permissions, with the actions of an administrator on this account. */
export function MemberDetails({ member, onClose }: MemberDetailsProps): ReactNode {
  const [link, setLink] = useState<OneTimeLink | null>(null);
  const [step, setStep] = useState<"lock" | "demote" | "correct" | null>(null);
  const isMe = useSession().user?.id === member.id;
  const params = { id: member.id };
  const permit = useAction((permissions: Permission[]) => change(setPermissions, { params, body: { permissions } }));
  const unlock = useAction(() => change(setDisabled, { params, body: { disabled: false } }));
  const createLink = useAction(async () => setLink(await call(makeResetLink, { params })));
  const isBusy = permit.isPending || unlock.isPending || createLink.isPending;

  if (link) return <ResetLink name={member.name} link={link} onClose={onClose} />;
  if (step === "correct") return <CorrectionStep member={member} onClose={() => setStep(null)} />;
  if (step !== null) return <MemberConfirmStep step={step} member={member} isMe={isMe} onClose={() => setStep(null)} />;
  const startStep = (next: "lock" | "demote"): void => {
    setStep(next);
    // Reloads the member, because the number of the member's valid access links may be stale.
    void reloadAdmin();
  };
  return (
    <Stack gap={5}>
      <Facts member={member} />
      <PermissionSwitches
        legend="Rechte"
        held={permit.pending?.[0] ?? member.permissions}
        disabled={isBusy || member.disabled}
        onChange={(held) => {
          if (member.permissions.includes("admin") && !held.includes("admin")) startStep("demote");
          else void permit.run(held);
        }}
      />
      <Stack gap={3}>
        {!member.disabled && (
          <Button isWide isBusy={createLink.isPending} disabled={isBusy} onClick={() => void createLink.run()}>
            <KeyRound size={20} />
            Link für neues Passwort
          </Button>
        )}
        <Button isWide disabled={isBusy} onClick={() => setStep("correct")}>
          <Pencil size={20} />
          Berichtigen …
        </Button>
        {member.disabled && (
          <Button isWide isBusy={unlock.isPending} onClick={() => void unlock.run()}>
            <LockOpen size={20} />
            Sperre aufheben
          </Button>
        )}
        {!member.disabled && !isMe && (
          <Button kind="danger" isWide disabled={isBusy} onClick={() => startStep("lock")}>
            <Lock size={20} />
            Sperren …
          </Button>
        )}
      </Stack>
      <DialogActions>
        <Button onClick={onClose}>Fertig</Button>
      </DialogActions>
    </Stack>
  );
}

interface MemberConfirmStepProps {
  readonly step: "lock" | "demote";
  readonly member: ManagedMember;
  /** `true` if the member is the logged-in administrator. */
  readonly isMe: boolean;
  readonly onClose: () => void;
}

/** Asks for confirmation, and lists the member's access links that the action revokes. */
function MemberConfirmStep({ step, member, isMe, onClose }: MemberConfirmStepProps): ReactNode {
  const { id, name, permissions } = member;
  const ending = describeEndingLinks(member.access_links, isMe ? "dir" : name);
  const confirm =
    step === "lock"
      ? () => change(setDisabled, { params: { id }, body: { disabled: true } })
      : () =>
          change(setPermissions, {
            params: { id },
            body: { permissions: togglePermission(permissions, "admin", false) },
          });
  return (
    <ConfirmStep action={step === "lock" ? "Sperren" : "Entziehen"} onConfirm={confirm} onClose={onClose}>
      {step === "lock" ? (
        <p>
          {name} fliegt überall sofort raus und kommt nicht mehr rein, bis du die Sperre aufhebst. Die Biere bleiben im
          Zähler der Gruppe.
        </p>
      ) : (
        <p>{isMe ? "Du kommst" : `${name} kommt`} nicht mehr in die Verwaltung, bis jemand das Recht wieder vergibt.</p>
      )}
      {ending !== null && <p>{ending}</p>}
    </ConfirmStep>
  );
}

function Facts({ member }: { member: ManagedMember }): ReactNode {
  const { uname, email, beers, created_at, last_seen_at, invitation } = member;
  const facts = [
    ["Benutzername", uname],
    ["E-Mail", email],
    ["Getrunken", formatBeers(beers)],
    ["Dabei seit", formatDate(created_at, "date")],
    ["Zuletzt da", last_seen_at === null ? "noch nie" : timeAgo(Date.parse(last_seen_at), Date.now())],
  ];
  if (invitation) facts.push(["Eingeladen von", invitation.by ?? "der Befehlszeile"]);
  return (
    <Row gap={4} className={styles["facts"]} data-wrap="never">
      <Avatar id={member.avatarId} name={member.name} size={72} />
      <Stack as="dl" gap={1} className={styles["list"]}>
        {facts.map(([term, fact]) => (
          <div key={term} className={styles["fact"]}>
            <dt>{term}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
      </Stack>
    </Row>
  );
}

function ResetLink({ name, link, onClose }: { name: string; link: OneTimeLink; onClose: () => void }): ReactNode {
  const { password_login } = useGroup();
  return (
    <ShareLink url={link.url} title="Link für ein neues Passwort" onClose={onClose}>
      <p>
        Damit legt {name} ein neues Passwort fest. Gilt einmal, bis{" "}
        {formatTimeOfDay(link.expires_at, undefined, "weekdayAndDay")}. Gib ihn niemand anderem: Er wird nur jetzt
        gezeigt.
      </p>
      {password_login === "off" && (
        <p>Das Passwort gilt erst, wenn die Anmeldung mit Passwort auf dem Server wieder eingeschaltet ist.</p>
      )}
    </ShareLink>
  );
}
