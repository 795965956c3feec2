import type { UseQueryResult } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

import type { Totals } from "#contract/beercounter.ts";
import type { RunningParty } from "#contract/party.ts";
import { PageLink } from "#web/router/page-link.tsx";
import { useGroup, useSession } from "#web/session/session.ts";
import { useCounterState } from "#web/shared/beers/queries.ts";
import { TapMat } from "#web/shared/beers/tap-mat.tsx";
import { MatCounts, MatCountsSkeleton } from "#web/shared/mat-counts.tsx";
import { useRunningParties } from "#web/shared/parties/queries.ts";
import { addOwnBeers, countUnseenBeers, describeSum, partyPath } from "#web/shared/parties/rules.ts";
import { formatNumber } from "#web/ui/german.ts";
import { QueryState } from "#web/ui/query-state.tsx";
import styles from "./counter-card.module.css";
import { DoorsLine } from "./doors-line.tsx";
import { PartyStrip } from "./party-strip.tsx";
import { BriefPresence, PresentMembers } from "./present-members.tsx";

interface CounterCardProps {
  readonly counters: UseQueryResult<Totals>;
  /** `true` if this card reports that loading failed; `false` if the page already does. */
  readonly isFailureShown: boolean;
}

/**
 * Paths into the server's data from which `ServerText` takes the counts and the member's name for
 * the HTML that is shown before the app starts.
 */
const countPaths = {
  total: "items.beercounter.KSKCounterVal",
  name: "user.name",
  own: "items.beercounter.userCounterVal",
};

/**
 * Shows the counts of the member's running party, or else of all time. Running parties are listed
 * above the counts.
 */
export function CounterCard({ counters, isFailureShown }: CounterCardProps): ReactNode {
  const { group_short } = useGroup();
  const { user } = useSession();
  const { data: parties = [] } = useRunningParties(counters.isFetchedAfterMount);
  const own = parties.find(({ is_member }) => is_member);
  const hasParties = parties.length > 0;
  return (
    <TapMat
      label="Zähler"
      above={
        hasParties ? (
          <PartyStrip parties={parties} shown={own} />
        ) : (
          <PresentMembers hasCounters={counters.isFetchedAfterMount} />
        )
      }
      beside={hasParties && <BriefPresence />}
      below={<DoorsLine isEnabled={counters.isFetchedAfterMount} />}
    >
      <QueryState
        query={isFailureShown ? counters : { ...counters, isFetchedAfterMount: false }}
        failedText="Der Zähler konnte gerade nicht geladen werden."
        skeleton={<MatCountsSkeleton label={group_short} paths={countPaths} />}
      >
        {(all) =>
          own ? (
            <PartyCounts party={own} counters={all} />
          ) : (
            <MatCounts label={group_short} total={all.group} name={user?.name} own={all.own}>
              Noch kein Strich auf deinem Deckel.
            </MatCounts>
          )
        }
      </QueryState>
    </TapMat>
  );
}

/** Shows the counts of a party in large type and the counts of all time in small type. */
function PartyCounts({ party, counters }: { party: RunningParty; counters: Totals }): ReactNode {
  const { group_short } = useGroup();
  const { user } = useSession();
  const { id, name, total, guest_total, own_total } = addOwnBeers(party, countUnseenBeers(party, useCounterState()));
  return (
    <MatCounts
      label={
        <PageLink href={partyPath(id)} className={styles["party"]}>
          <span className="one-line" title={name}>
            {name}
          </span>
          <ChevronRight size={18} />
        </PageLink>
      }
      total={total}
      sum={describeSum({ total, guest_total })}
      note={
        <>
          {group_short} <span data-counter="group">{formatNumber(counters.group)}</span> · du{" "}
          <span data-counter="own">{formatNumber(counters.own)}</span>
        </>
      }
      name={user?.name}
      own={own_total}
      scope="bei der Party"
      prefix="party-"
    >
      Noch kein Strich auf deinem Deckel.
    </MatCounts>
  );
}
