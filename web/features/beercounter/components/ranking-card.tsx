import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";

import type { Drinker } from "#contract/beercounter.ts";

import { Ranking, rankingHeight } from "./ranking.tsx";
import { StatsCard } from "./stats-card.tsx";

export function RankingCard({ drinkers }: { drinkers: UseQueryResult<readonly Drinker[]> }): ReactNode {
  return (
    <StatsCard title="Die Säufer" query={drinkers} height={rankingHeight} columns={5}>
      {(all) => <Ranking drinkers={all} emptyText="Noch sind alle nüchtern." />}
    </StatsCard>
  );
}
