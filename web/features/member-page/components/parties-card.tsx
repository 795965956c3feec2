import { ChevronRight, PartyPopper } from "lucide-react";
import { useId, type ReactNode } from "react";

import type { MemberPage } from "#contract/member-page.ts";
import { PageLink } from "#web/platform/page-link.tsx";
import { useGroup } from "#web/platform/session.ts";
import { Card } from "#web/ui/card.tsx";
import { Entry } from "#web/ui/entry.tsx";
import { formatCount } from "#web/ui/german.ts";
import { Hint } from "#web/ui/hint.tsx";
import { IconDisc } from "#web/ui/icon-disc.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { Lines } from "#web/ui/lines.tsx";
import { describeParty } from "../rules.ts";

/** The parties that the member was at, each with the member's own number. */
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
          <Lines label="Partys">
            {parties.map((party) => (
              <li key={party.id}>
                <Entry
                  as={PageLink}
                  href={`/party?id=${party.id}`}
                  picture={<IconDisc icon={PartyPopper} tone={party.is_running ? "beer" : "plain"} />}
                  end={<ChevronRight size={22} />}
                >
                  <strong>{party.name}</strong>
                  <Hint as="span">{describeParty(party, time_zone)}</Hint>
                </Entry>
              </li>
            ))}
          </Lines>
        )}
        {count > parties.length && (
          <Hint>{`Die letzten ${parties.length} von ${formatCount(count, "Party", "Partys")}.`}</Hint>
        )}
      </Stack>
    </Card>
  );
}
