import type { ReactNode } from "react";

import { compareDrinkers, type Drinker } from "#contract/beercounter.ts";
import { BarChart, barHeight, type Bar } from "#web/ui/bar-chart.tsx";
import { DrinkerPicture } from "#web/ui/drinker-picture.tsx";
import { formatNumber } from "#web/ui/german.ts";
import { EmptyMessage } from "#web/ui/query-state.tsx";
import { PageLink } from "./page-link.tsx";
import { useSession } from "./session.ts";

const chartHeight = 250;
/** Chart, values above it, names, the line for "Du" and the pictures beneath, in px. */
export const rankingHeight = chartHeight + 137;

interface RankingProps {
  readonly drinkers: readonly Drinker[];
  /** Of which period. */
  readonly period?: string;
  readonly emptyText: string;
}

/** One bar per member, one's own in another colour. */
export function Ranking({ drinkers, period, emptyText }: RankingProps): ReactNode {
  const memberId = useSession().user?.id;
  if (drinkers.length === 0) return <EmptyMessage>Gerade machen alle Pause.</EmptyMessage>;
  const isEmpty = drinkers.every((drinker) => drinker.beercounter_entries_count === 0);
  return (
    <BarChart
      label="Biere pro Mitglied"
      bars={toBars(drinkers, memberId)}
      height={chartHeight}
      barWidth={50}
      layout="scroll"
      subject={period}
      emptyText={isEmpty ? emptyText : undefined}
    />
  );
}

function toBars(drinkers: readonly Drinker[], memberId: number | undefined): Bar[] {
  const counts = drinkers.map((drinker) => drinker.beercounter_entries_count);
  return drinkers.toSorted(compareDrinkers).map((drinker) => ({
    key: drinker.id,
    label: drinker.name,
    value: formatNumber(drinker.beercounter_entries_count),
    height: barHeight(drinker.beercounter_entries_count, counts),
    tone: drinker.id === memberId ? "mine" : "others",
    ...(drinker.id === memberId && { mark: "Du" }),
    picture: (
      <DrinkerPicture
        name={drinker.name}
        avatarId={drinker.profile_picture}
        as={PageLink}
        href={drinker.id === memberId ? "/member" : `/member?id=${drinker.id}`}
      />
    ),
  }));
}
