import { ChevronRight, Lock } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { ManagedMember } from "#contract/admin-members.ts";
import { PageLink } from "#web/platform/page-link.tsx";
import { Avatar } from "#web/ui/avatar.tsx";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import { Field } from "#web/ui/field.tsx";
import { EmptyText, QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { formatBeers } from "#web/ui/german.ts";

import { AdminLayout } from "./components/admin-layout.tsx";
import list from "./components/list.module.css";
import { MemberDialog } from "./components/member-dialog.tsx";
import { PermissionBadges } from "./components/permission-badges.tsx";
import styles from "./members-page.module.css";
import { useMembers } from "./queries.ts";
import { filterMembers } from "./rules.ts";

export function MembersPage(): ReactNode {
  const members = useMembers();
  const [wanted, setWanted] = useState("");
  const [openId, setOpenId] = useState<number | null>(null);
  return (
    <AdminLayout area="/admin">
      <BeerMat shape="square">
        <div className={styles["content"]}>
          <Field
            label="Suchen"
            name="search"
            type="search"
            placeholder="Name, Benutzername oder E-Mail"
            autoComplete="off"
            value={wanted}
            onChange={(event) => setWanted(event.currentTarget.value)}
          />
          <QueryState
            query={members}
            failedText="Die Mitglieder lassen sich gerade nicht laden."
            skeleton={<Skeleton lines={6} />}
            align="center"
          >
            {(all) => (
              <>
                <MemberList members={filterMembers(all, wanted)} onOpen={setOpenId} />
                {all.length === 1 && (
                  <p>
                    Noch allein am Tisch? <PageLink href="/admin/invitations">Lade Freunde ein.</PageLink>
                  </p>
                )}
              </>
            )}
          </QueryState>
        </div>
      </BeerMat>
      <MemberDialog member={members.data?.find(({ id }) => id === openId) ?? null} onClose={() => setOpenId(null)} />
    </AdminLayout>
  );
}

function MemberList({
  members,
  onOpen,
}: {
  members: readonly ManagedMember[];
  onOpen: (id: number) => void;
}): ReactNode {
  if (members.length === 0) return <EmptyText align="center">So heißt hier niemand.</EmptyText>;
  return (
    <ul className={list["list"]} aria-label="Mitglieder">
      {members.map((member) => (
        <li key={member.id} className={list["item"]}>
          <button type="button" className={styles["line"]} aria-haspopup="dialog" onClick={() => onOpen(member.id)}>
            <Avatar id={member.avatarId} name={member.name} size={48} />
            <span className={styles["words"]}>
              <strong>{member.name}</strong>
              <span className={list["soft"]}>
                {member.uname} · {formatBeers(member.beers)}
              </span>
              <Badges member={member} />
            </span>
            <ChevronRight className={styles["arrow"]} size={22} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Badges({ member }: { member: ManagedMember }): ReactNode {
  if (member.permissions.length === 0 && !member.disabled) return null;
  return (
    <span className={list["badges"]}>
      {member.disabled && (
        <span className={list["badge"]} data-kind="bad">
          <Lock size={14} aria-hidden="true" />
          gesperrt
        </span>
      )}
      <PermissionBadges held={member.permissions} />
    </span>
  );
}
