import { useNavigate } from "@tanstack/react-router";
import { ChevronRight, PartyPopper } from "lucide-react";
import { useState, type ReactNode } from "react";

import { type ListedParty, partyLimits, startParty } from "#contract/party.ts";
import { call } from "#web/client/api.ts";
import { formatSum } from "#web/features/beers/party-rules.ts";
import { formFor } from "#web/page/form.tsx";
import { ListItemLink } from "#web/page/links.tsx";
import { useGroup } from "#web/page/session.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { formatCount } from "#web/ui/german.ts";
import { IconDisc } from "#web/ui/icons.tsx";
import { Page } from "#web/ui/layout.tsx";
import { Badge, Badges, EntityList, List } from "#web/ui/list.tsx";
import { Hint } from "#web/ui/text.tsx";
import { useParties } from "./api.ts";
import { describeDay, formatPeople, namePlaceholder } from "./rules.ts";

const { DialogForm, Field } = formFor(startParty);

export function PartiesPage(): ReactNode {
  const parties = useParties();
  const [isStarting, setStarting] = useState(false);
  const navigate = useNavigate();
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
      <Dialog title="Party starten" isOpen={isStarting} onClose={() => setStarting(false)}>
        <DialogForm
          action="Starten"
          onSend={async (body) => {
            const { id } = await call(startParty, { body });
            await navigate({ to: "/beercounter", state: { party: id } });
          }}
          onClose={() => setStarting(false)}
        >
          <Field name="name" placeholder={namePlaceholder} maxLength={partyLimits.name} autoComplete="off" required />
          <p>Du bist gleich dabei, die anderen mit einem Tipp. Am nächsten Mittag um zwölf endet sie von selbst.</p>
        </DialogForm>
      </Dialog>
    </Page>
  );
}

function PartyLine({ party }: { party: ListedParty }): ReactNode {
  const { time_zone } = useGroup();
  const { id, name, is_running, member_count, asking_count } = party;
  return (
    <li>
      <ListItemLink
        to="/party/$id"
        params={{ id }}
        picture={<IconDisc icon={PartyPopper} tone={is_running ? "beer" : "plain"} />}
        end={<ChevronRight size={22} />}
      >
        <strong>{name}</strong>
        {(is_running || asking_count > 0) && (
          <Badges>
            {is_running && <Badge kind="good">läuft</Badge>}
            {asking_count > 0 && <Badge>{formatCount(asking_count, "Gast fragt", "Gäste fragen")}</Badge>}
          </Badges>
        )}
        <Hint as="span">
          {[describeDay(party, time_zone), formatPeople(member_count), formatSum(party)].join(", ")}
        </Hint>
      </ListItemLink>
    </li>
  );
}
