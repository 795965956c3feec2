import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";

import type { Counters } from "#contract/beercounter.ts";
import { TapMat } from "#web/platform/beers/tap-mat.tsx";
import { useGroup, useSession } from "#web/platform/session.ts";
import { MatCounts, MatCountsSkeleton } from "#web/ui/mat-counts.tsx";
import { QueryState } from "#web/ui/query-state.tsx";
import { PresentMembers } from "./present-members.tsx";

interface CounterCardProps {
  readonly counters: UseQueryResult<Counters>;
  /** False where something else says already that nothing could be loaded. */
  readonly isFailureShown: boolean;
}

export function CounterCard({ counters, isFailureShown }: CounterCardProps): ReactNode {
  const { group_short } = useGroup();
  const { user } = useSession();
  return (
    <TapMat label="Zähler" above={<PresentMembers hasCounters={counters.isFetchedAfterMount} />}>
      <QueryState
        query={isFailureShown ? counters : { ...counters, isFetchedAfterMount: false }}
        failedText="Der Zähler konnte gerade nicht geladen werden."
        skeleton={<MatCountsSkeleton label={group_short} />}
      >
        {({ KSKCounterVal, userCounterVal }) => (
          <MatCounts label={group_short} total={KSKCounterVal} name={user?.name} own={userCounterVal}>
            Noch kein Strich auf deinem Deckel.
          </MatCounts>
        )}
      </QueryState>
    </TapMat>
  );
}
