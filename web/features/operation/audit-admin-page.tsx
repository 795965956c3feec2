import { Terminal } from "lucide-react";
import type { ReactNode } from "react";

import { getAudit, type AuditEntry } from "#contract/audit.ts";
import { AdminLayout } from "#web/admin/admin-layout.tsx";
import { usePages } from "#web/page/queries.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { formatDate } from "#web/ui/german.ts";
import { IconDisc } from "#web/ui/icons.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { EntityList, ListItem } from "#web/ui/list.tsx";
import { Hint } from "#web/ui/text.tsx";

export function AuditPage(): ReactNode {
  const audit = usePages(getAudit, (page) => page);
  return (
    <AdminLayout area="/admin/audit">
      <EntityList
        query={audit}
        what="Die Einträge"
        emptyText="Noch nichts passiert. Hier steht später, wer was verwaltet hat."
        lines={6}
      >
        {(entries) => (
          <Stack gap={5}>
            {[...Map.groupBy(entries, ({ at }) => formatDate(at, "date"))].map(([day, ofDay]) => (
              <Stack key={day} as="section" gap={2} aria-label={day}>
                <Hint as="h3">{day}</Hint>
                <Stack as="ul" gap={3}>
                  {ofDay.map((entry) => (
                    <AuditLine key={entry.id} entry={entry} />
                  ))}
                </Stack>
              </Stack>
            ))}
          </Stack>
        )}
      </EntityList>
    </AdminLayout>
  );
}

function AuditLine({ entry }: { entry: AuditEntry }): ReactNode {
  const { actor, member, text, at } = entry;
  return (
    <ListItem
      as="li"
      data-align="start"
      picture={<Actor entry={entry} />}
      end={
        <Hint as="time" dateTime={at}>
          {formatDate(at, "time")}
        </Hint>
      }
    >
      <strong>{describeActor(entry)}</strong>
      <span>
        {member && member.id !== actor?.id && <b>{member.name}: </b>}
        {text}
      </span>
    </ListItem>
  );
}

function Actor({ entry: { actor, via } }: { entry: AuditEntry }): ReactNode {
  if (actor) return <Avatar id={actor.avatarId} name={actor.name} size={44} />;
  if (via === "page") return <Avatar id={null} name="?" size={44} />;
  return <IconDisc icon={Terminal} size={18} />;
}

function describeActor({ actor, via }: AuditEntry): string {
  if (actor) return actor.name;
  return via === "page" ? "Ehemaliges Mitglied" : "Befehlszeile";
}
