import { Lock } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { ManagedMember } from "#contract/member-management.ts";
import { PageLink } from "#web/router/page-link.tsx";
import { AdminLayout } from "#web/shared/admin/admin-layout.tsx";
import { EntityDialog } from "#web/shared/admin/entity-dialog.tsx";
import { PermissionBadges } from "#web/shared/admin/permission-badges.tsx";
import { Avatar } from "#web/ui/avatar.tsx";
import { Badge, Badges, EntityList, ExpandableItem } from "#web/ui/entity-list.tsx";
import { Field } from "#web/ui/field.tsx";
import { formatBeers } from "#web/ui/german.ts";
import { Hint } from "#web/ui/hint.tsx";
import { List } from "#web/ui/list.tsx";
import { MemberDetails } from "./components/member-details.tsx";
import { useMembers } from "./queries.ts";
import { filterMembers } from "./rules.ts";

export function MembersPage(): ReactNode {
  const members = useMembers();
  const [search, setSearch] = useState("");
  const [openId, setOpenId] = useState<number | null>(null);
  const found = members.data && filterMembers(members.data, search);
  const searchField = (
    <Field
      label="Suchen"
      name="search"
      type="search"
      placeholder="Name, Benutzername oder E-Mail"
      autoComplete="off"
      value={search}
      onChange={(event) => setSearch(event.currentTarget.value)}
    />
  );
  return (
    <AdminLayout area="/admin">
      <EntityList
        query={{ ...members, data: found }}
        what="Die Mitglieder"
        emptyText="So heißt hier niemand."
        lines={6}
        above={searchField}
        below={
          members.data?.length === 1 && (
            <p>
              Noch allein am Tisch? <PageLink href="/admin/invitations">Lade Freunde ein.</PageLink>
            </p>
          )
        }
      >
        {(shown) => (
          <List label="Mitglieder">
            {shown.map((member) => (
              <MemberLine key={member.id} member={member} onOpen={() => setOpenId(member.id)} />
            ))}
          </List>
        )}
      </EntityList>
      <EntityDialog
        entity={members.data?.find(({ id }) => id === openId) ?? null}
        title={({ name }) => name}
        onClose={() => setOpenId(null)}
      >
        {(member) => <MemberDetails member={member} onClose={() => setOpenId(null)} />}
      </EntityDialog>
    </AdminLayout>
  );
}

function MemberLine({ member, onOpen }: { member: ManagedMember; onOpen: () => void }): ReactNode {
  const { name, uname, avatarId, beers, permissions, disabled } = member;
  return (
    <ExpandableItem picture={<Avatar id={avatarId} name={name} size={48} />} onOpen={onOpen}>
      <strong>{name}</strong>
      <Hint as="span">
        {uname} · {formatBeers(beers)}
      </Hint>
      {(permissions.length > 0 || disabled) && (
        <Badges>
          {disabled && (
            <Badge kind="bad">
              <Lock size={14} />
              gesperrt
            </Badge>
          )}
          <PermissionBadges held={permissions} />
        </Badges>
      )}
    </ExpandableItem>
  );
}
