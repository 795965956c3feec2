import { UserPlus } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { Permission } from "#contract/endpoint.ts";
import {
  getInvitations,
  invitationDays,
  invitationUses,
  makeInvitation,
  revokeInvitation,
  type Invitation,
} from "#contract/invitations.ts";
import { AdminLayout } from "#web/admin/admin-layout.tsx";
import { useAdminCall } from "#web/admin/api.ts";
import { OneTimeLinkDialog, type ShownLink } from "#web/admin/dialogs.tsx";
import { PermissionBadges, PermissionSwitches } from "#web/admin/permissions.tsx";
import { Confirm } from "#web/page/confirm.tsx";
import { formFor } from "#web/page/form.tsx";
import { usePages } from "#web/page/queries.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Button } from "#web/ui/button.tsx";
import { formatCount, formatDate, formatTimeOfDay } from "#web/ui/german.ts";
import { TwoColumns } from "#web/ui/layout.tsx";
import { Badge, Badges, EntityList, EntityItem, List } from "#web/ui/list.tsx";
import { Hint } from "#web/ui/text.tsx";
import styles from "./admin-page.module.css";

export function InvitationsPage(): ReactNode {
  const call = useAdminCall();
  const invitations = usePages(getInvitations, ({ invitations: entries, has_more }) => ({ entries, has_more }));
  const [isInviting, setInviting] = useState(false);
  const [revoked, setRevoked] = useState<Invitation | null>(null);
  const invite = (
    <Button kind="primary" onClick={() => setInviting(true)}>
      <UserPlus size={20} />
      Einladen
    </Button>
  );
  return (
    <AdminLayout area="/admin/invitations" action={invite}>
      <EntityList query={invitations} what="Die Einladungen" emptyText={emptyText}>
        {(shown) => (
          <List label="Einladungen">
            {shown.map((invitation) => (
              <InvitationLine key={invitation.id} invitation={invitation} onRevoke={() => setRevoked(invitation)} />
            ))}
          </List>
        )}
      </EntityList>
      <OneTimeLinkDialog title="Einladen" linkTitle="Einladung" isOpen={isInviting} onClose={() => setInviting(false)}>
        {(show) => <InvitationForm onMade={show} onClose={() => setInviting(false)} />}
      </OneTimeLinkDialog>
      <Confirm
        title="Einladung zurückziehen"
        isOpen={revoked !== null}
        action="Zurückziehen"
        onConfirm={async () => (await call(revokeInvitation, { params: { id: revoked!.id } })).message}
        onClose={() => setRevoked(null)}
      >
        <p>Mit diesem Link kommt dann niemand mehr herein. Wer schon da ist, bleibt.</p>
      </Confirm>
    </AdminLayout>
  );
}

const emptyText = "Noch niemand eingeladen. Lade Freunde ein: Sie bekommen einen Link und legen sich selbst an.";

function InvitationLine({ invitation, onRevoke }: { invitation: Invitation; onRevoke: () => void }): ReactNode {
  const { state, created_at, by, members } = invitation;
  return (
    <EntityItem actions={state === "open" && <Button onClick={onRevoke}>Zurückziehen</Button>}>
      <State invitation={invitation} />
      <Hint as="span">
        {formatDate(created_at, "date")}, von {by ?? "der Befehlszeile"}
      </Hint>
      <Members members={members} />
    </EntityItem>
  );
}

const stateLabels: Record<Exclude<Invitation["state"], "open">, string> = {
  used: "aufgebraucht",
  expired: "abgelaufen",
  revoked: "zurückgezogen",
};

function State({ invitation: { state, uses_left, expires_at, permissions } }: { invitation: Invitation }): ReactNode {
  const places = formatCount(uses_left, "Platz", "Plätze");
  return (
    <Badges>
      <Badge kind={state === "open" ? "good" : undefined}>
        {state === "open" ? `noch ${places} bis ${formatDate(expires_at, "date")}` : stateLabels[state]}
      </Badge>
      <PermissionBadges held={permissions} />
    </Badges>
  );
}

function Members({ members }: { members: Invitation["members"] }): ReactNode {
  if (members.length === 0) return null;
  return (
    <ul className={styles["members"]} aria-label="Damit gekommen">
      {members.map(({ id, name, avatarId }) => (
        <li key={id} className={styles["member"]}>
          <Avatar id={avatarId} name={name} size={24} />
          {name}
        </li>
      ))}
    </ul>
  );
}

const { DialogForm, Field } = formFor(makeInvitation);

interface InvitationFormProps {
  readonly onMade: (link: ShownLink) => void;
  readonly onClose: () => void;
}

function InvitationForm({ onMade, onClose }: InvitationFormProps): ReactNode {
  const call = useAdminCall();
  const [permissions, setPermissions] = useState<Permission[]>([]);
  return (
    <DialogForm
      action="Link machen"
      readMore={() => ({ permissions })}
      onSend={async (body) => {
        const { url, expires_at } = await call(makeInvitation, { body });
        onMade({ url, note: describeLink(body.uses, expires_at) });
      }}
      onClose={onClose}
    >
      <TwoColumns>
        <Count label="Für wie viele?" name="uses" limits={invitationUses} />
        <Count label="Tage gültig" name="days" limits={invitationDays} />
      </TwoColumns>
      <PermissionSwitches legend="Rechte von Anfang an" held={permissions} onChange={setPermissions} />
    </DialogForm>
  );
}

function describeLink(uses: number | undefined, expiresAt: string): ReactNode {
  return (
    <p>
      Gilt {uses === 1 ? "für eine Person" : `für ${uses} Personen`} bis{" "}
      {formatTimeOfDay(expiresAt, undefined, "weekdayAndDay")}. Der Link wird nur jetzt gezeigt.
    </p>
  );
}

interface CountProps {
  readonly label: string;
  readonly name: "uses" | "days";
  readonly limits: { readonly usual: number; readonly min: number; readonly max: number };
}

function Count({ label, name, limits: { usual, min, max } }: CountProps): ReactNode {
  return (
    <Field
      label={label}
      name={name}
      type="number"
      inputMode="numeric"
      min={min}
      max={max}
      defaultValue={usual}
      required
    />
  );
}
