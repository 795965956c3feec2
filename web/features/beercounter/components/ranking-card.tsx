import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";

import type { Drinker } from "#contract/beercounter.ts";
import { useSession } from "#web/platform/session.ts";
import { BarChart, type Bar } from "#web/ui/bar-chart.tsx";

import { barHeight, inGerman, ranked } from "../rules.ts";
import { DrinkerPicture } from "./drinker-picture.tsx";
import { StatsCard } from "./stats-card.tsx";

const chartHeight = 250;
/** Chart, values above it, names, the line for "Du" and the pictures beneath. */
const contentHeight = chartHeight + 150;

export function RankingCard({ drinkers }: { drinkers: UseQueryResult<readonly Drinker[]> }): ReactNode {
  const memberId = useSession().user?.id;
  return (
    <StatsCard title="Die Säufer" query={drinkers} height={contentHeight} columns={5}>
      {(all) => (
        <BarChart
          label="Biere pro Mitglied"
          bars={barsOf(all, memberId)}
          height={chartHeight}
          barWidth={50}
          layout="scroll"
          emptyText={
            all.every((drinker) => drinker.beercounter_entries_count === 0) ? "Noch sind alle nüchtern." : undefined
          }
        />
      )}
    </StatsCard>
  );
}

function barsOf(drinkers: readonly Drinker[], memberId: number | undefined): Bar[] {
  const counts = drinkers.map((drinker) => drinker.beercounter_entries_count);
  return ranked(drinkers).map((drinker) => ({
    key: drinker.id,
    label: drinker.name,
    value: inGerman(drinker.beercounter_entries_count),
    height: barHeight(drinker.beercounter_entries_count, counts),
    tone: drinker.id === memberId ? "mine" : "others",
    ...(drinker.id === memberId && { mark: "Du" }),
    picture: <DrinkerPicture name={drinker.name} avatarId={drinker.profile_picture} />,
  }));
}
