import { UserPlus } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { Invitation } from "#contract/admin-invitations.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import { Button } from "#web/ui/button.tsx";
import { EmptyText, QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { formatDate } from "#web/ui/german.ts";

import { AdminLayout } from "./components/admin-layout.tsx";
import { InvitationDialog } from "./components/invitation-dialog.tsx";
import list from "./components/list.module.css";
import { LoadMore } from "./components/load-more.tsx";
import { PermissionBadges } from "./components/permission-badges.tsx";
import { ConfirmDialog } from "./components/confirm-dialog.tsx";
import styles from "./invitations-page.module.css";
import { revokeInvitation, useInvitations } from "./queries.ts";

export function InvitationsPage(): ReactNode {
  const invitations = useInvitations();
  const [isInviting, setInviting] = useState(false);
  const [revoked, setRevoked] = useState<Invitation | null>(null);
  const invite = (
    <Button kind="primary" onClick={() => setInviting(true)}>
      <UserPlus size={20} aria-hidden="true" />
      Einladen
    </Button>
  );
  return (
    <AdminLayout area="/admin/invitations" action={invite}>
      <BeerMat shape="square">
        <div className={list["content"]}>
          <QueryState
            query={invitations}
            failedText="Die Einladungen lassen sich gerade nicht laden."
            skeleton={<Skeleton lines={4} />}
            align="center"
          >
            {({ pages }) => (
              <InvitationList invitations={pages.flatMap((page) => page.invitations)} onRevoke={setRevoked} />
            )}
          </QueryState>
          <LoadMore list={invitations} />
        </div>
      </BeerMat>
      <InvitationDialog isOpen={isInviting} onClose={() => setInviting(false)} />
      <ConfirmDialog
        title="Einladung zurückziehen"
        isOpen={revoked !== null}
        confirmLabel="Zurückziehen"
        onConfirm={() => revokeInvitation(revoked!.id)}
        onClose={() => setRevoked(null)}
      >
        Mit diesem Link kommt dann niemand mehr herein. Wer schon da ist, bleibt.
      </ConfirmDialog>
    </AdminLayout>
  );
}

interface InvitationListProps {
  readonly invitations: readonly Invitation[];
  readonly onRevoke: (invitation: Invitation) => void;
}

function InvitationList({ invitations, onRevoke }: InvitationListProps): ReactNode {
  if (invitations.length === 0) {
    return (
      <EmptyText align="center">
        Noch niemand eingeladen. Lade Freunde ein: Sie bekommen einen Link und legen sich selbst an.
      </EmptyText>
    );
  }
  return (
    <ul className={list["list"]} aria-label="Einladungen">
      {invitations.map((invitation) => (
        <li key={invitation.id} className={list["item"]}>
          <div className={list["line"]}>
            <div className={list["words"]}>
              <State invitation={invitation} />
              <span className={list["soft"]}>
                {formatDate(invitation.created_at, "date")}, von {invitation.by ?? "der Befehlszeile"}
              </span>
              <Members members={invitation.members} />
            </div>
            {invitation.state === "open" && <Button onClick={() => onRevoke(invitation)}>Zurückziehen</Button>}
          </div>
        </li>
      ))}
    </ul>
  );
}

const stateLabels: Record<Exclude<Invitation["state"], "open">, string> = {
  used: "aufgebraucht",
  expired: "abgelaufen",
  revoked: "zurückgezogen",
};

function State({ invitation: { state, uses_left, expires_at, permissions } }: { invitation: Invitation }): ReactNode {
  return (
    <span className={list["badges"]}>
      <span className={list["badge"]} data-kind={state === "open" ? "good" : undefined}>
        {state === "open"
          ? `noch ${uses_left} ${uses_left === 1 ? "Platz" : "Plätze"} bis ${formatDate(expires_at, "date")}`
          : stateLabels[state]}
      </span>
      <PermissionBadges held={permissions} />
    </span>
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
