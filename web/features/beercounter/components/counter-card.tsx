import type { UseQueryResult } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

import type { Counters } from "#contract/beercounter.ts";
import type { RunningParty } from "#contract/party.ts";
import { useCounterState } from "#web/platform/beers/queries.ts";
import { TapMat } from "#web/platform/beers/tap-mat.tsx";
import { PageLink } from "#web/platform/page-link.tsx";
import { useRunningParties } from "#web/platform/parties/queries.ts";
import { addOwnBeers, countUnseenBeers, partyPath } from "#web/platform/parties/rules.ts";
import { useGroup, useSession } from "#web/platform/session.ts";
import { formatNumber } from "#web/ui/german.ts";
import { MatCounts, MatCountsSkeleton } from "#web/ui/mat-counts.tsx";
import { QueryState } from "#web/ui/query-state.tsx";
import styles from "./counter-card.module.css";
import { PartyStrip } from "./party-strip.tsx";
import { BriefPresence, PresentMembers } from "./present-members.tsx";

interface CounterCardProps {
  readonly counters: UseQueryResult<Counters>;
  /** False where something else says already that nothing could be loaded. */
  readonly isFailureShown: boolean;
}

/** The counter, or, at a party, its numbers; other parties that run are offered in the line above. */
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
    >
      <QueryState
        query={isFailureShown ? counters : { ...counters, isFetchedAfterMount: false }}
        failedText="Der Zähler konnte gerade nicht geladen werden."
        skeleton={<MatCountsSkeleton label={group_short} />}
      >
        {(all) =>
          own ? (
            <PartyCounts party={own} counters={all} />
          ) : (
            <MatCounts label={group_short} total={all.KSKCounterVal} name={user?.name} own={all.userCounterVal}>
              Noch kein Strich auf deinem Deckel.
            </MatCounts>
          )
        }
      </QueryState>
    </TapMat>
  );
}

/** The numbers of a party, large, and small those of all time. */
function PartyCounts({ party, counters }: { party: RunningParty; counters: Counters }): ReactNode {
  const { group_short } = useGroup();
  const { user } = useSession();
  const { id, name, total, own_total } = addOwnBeers(party, countUnseenBeers(party, useCounterState()));
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
      note={
        <>
          {group_short} <span data-counter="group">{formatNumber(counters.KSKCounterVal)}</span> · du{" "}
          <span data-counter="own">{formatNumber(counters.userCounterVal)}</span>
        </>
      }
      name={user?.name}
      own={own_total}
      prefix="party-"
    >
      Noch kein Strich auf deinem Deckel.
    </MatCounts>
  );
}
