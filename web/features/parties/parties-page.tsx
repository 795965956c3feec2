import { ChevronRight, PartyPopper } from "lucide-react";
import { useState, type ReactNode } from "react";

import { type ListedParty, startParty } from "#contract/party.ts";
import { call } from "#web/client/api.ts";
import { formatSum, partyPath } from "#web/features/beers/party-rules.ts";
import { textsOf } from "#web/forms/use-form.ts";
import { useGroup } from "#web/page/session.ts";
import { navigate } from "#web/router/navigation.ts";
import { PageLink } from "#web/router/page-link.tsx";
import { Button } from "#web/ui/button.tsx";
import { Badge, Badges, EntityList } from "#web/ui/entity-list.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { IconDisc } from "#web/ui/icon-disc.tsx";
import { Page } from "#web/ui/layout.tsx";
import { ListItem } from "#web/ui/list-item.tsx";
import { List } from "#web/ui/list.tsx";
import { useParties } from "./api.ts";
import { NameDialog } from "./name-dialog.tsx";
import { describeDay, formatPeople } from "./rules.ts";

export function PartiesPage(): ReactNode {
  const parties = useParties();
  const [isStarting, setStarting] = useState(false);
  return (
    <Page title="Partys">
      <EntityList
        query={parties}
        what="Die Partys"
        emptyText="Noch keine Party. Ein Abend mit Namen: Alle Biere von denen, die dabei sind, gehören dazu."
        above={
          <Button kind="primary" isWide onClick={() => setStarting(true)}>
            <PartyPopper size={20} />
            Party starten
          </Button>
        }
      >
        {(all) => (
          <List label="Partys">
            {all.map((party) => (
              <PartyLine key={party.id} party={party} />
            ))}
          </List>
        )}
      </EntityList>
      <NameDialog
        title="Party starten"
        action="Starten"
        endpoint={startParty}
        isOpen={isStarting}
        onSend={async (values) => {
          const { id } = await call(startParty, { body: textsOf(values, "name") });
          navigate(partyPath(id));
        }}
        onClose={() => setStarting(false)}
      >
        <p>Du bist gleich dabei, die anderen mit einem Tipp. Am nächsten Mittag um zwölf endet sie von selbst.</p>
      </NameDialog>
    </Page>
  );
}

function PartyLine({ party }: { party: ListedParty }): ReactNode {
  const { time_zone } = useGroup();
  const { id, name, is_running, member_count } = party;
  return (
    <li>
      <ListItem
        as={PageLink}
        href={partyPath(id)}
        picture={<IconDisc icon={PartyPopper} tone={is_running ? "beer" : "plain"} />}
        end={<ChevronRight size={22} />}
      >
        <strong>{name}</strong>
        {is_running && (
          <Badges>
            <Badge kind="good">läuft</Badge>
          </Badges>
        )}
        <Hint as="span">
          {[describeDay(party, time_zone), formatPeople(member_count), formatSum(party)].join(", ")}
        </Hint>
      </ListItem>
    </li>
  );
}
