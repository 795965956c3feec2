import { ChevronRight, PartyPopper } from "lucide-react";
import { useId, type ReactNode } from "react";

import type { MemberPage } from "#contract/member-page.ts";
import { PageLink } from "#web/router/page-link.tsx";
import { useGroup } from "#web/session/session.ts";
import { Card } from "#web/ui/card.tsx";
import { formatCount } from "#web/ui/german.ts";
import { Hint } from "#web/ui/hint.tsx";
import { IconDisc } from "#web/ui/icon-disc.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { ListItem } from "#web/ui/list-item.tsx";
import { List } from "#web/ui/list.tsx";
import { describeParty } from "../rules.ts";

/** Lists the parties that the member attended, each with the number of the member's beers. */
export function PartiesCard({
  page: { parties, party_count: count },
  isOwn,
}: {
  page: MemberPage;
  isOwn: boolean;
}): ReactNode {
  const heading = useId();
  const { time_zone } = useGroup();
  return (
    <Card>
      <Stack as="section" aria-labelledby={heading}>
        <h2 id={heading}>Partys</h2>
        {count === 0 ? (
          <Hint>{isOwn ? "Noch bei keiner. Die nächste kommt bestimmt." : "Noch bei keiner."}</Hint>
        ) : (
          <List label="Partys">
            {parties.map((party) => (
              <li key={party.id}>
                <ListItem
                  as={PageLink}
                  href={`/party?id=${party.id}`}
                  picture={<IconDisc icon={PartyPopper} tone={party.is_running ? "beer" : "plain"} />}
                  end={<ChevronRight size={22} />}
                >
                  <strong>{party.name}</strong>
                  <Hint as="span">{describeParty(party, time_zone)}</Hint>
                </ListItem>
              </li>
            ))}
          </List>
        )}
        {count > parties.length && (
          <Hint>{`Die letzten ${parties.length} von ${formatCount(count, "Party", "Partys")}.`}</Hint>
        )}
      </Stack>
    </Card>
  );
}
