import type { ReactNode } from "react";

import { compareDrinkers, type Drinker } from "#contract/beercounter.ts";
import { PageLink } from "#web/router/page-link.tsx";
import { useSession } from "#web/session/session.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { BarChart, barHeight, type Bar } from "#web/ui/bar-chart.tsx";
import { formatNumber } from "#web/ui/german.ts";
import { EmptyMessage } from "#web/ui/query-state.tsx";
import { DrinkerPicture } from "./drinker-picture.tsx";

const chartHeight = 250;

/**
 * A drinker in a ranking. `rank`: the place among all members, missing if the ranking is complete.
 * `is_home`: the member has left the running party. `guest_of`: set for a party guest, with the
 * inviting member's name or `null` if that member is not named.
 */
export type RankedDrinker = Drinker & {
  readonly rank?: number | undefined;
  readonly is_home?: boolean;
  readonly guest_of?: string | null;
};

interface RankingProps {
  readonly drinkers: readonly RankedDrinker[];
  /** The period of the counts; a new period scrolls the chart to the member's bar. */
  readonly period?: string;
  readonly emptyText: string;
}

/** Shows one bar per drinker; the bar of the logged-in member has another colour. */
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

function toBars(drinkers: readonly RankedDrinker[], memberId: number | undefined): Bar[] {
  const counts = drinkers.map((drinker) => drinker.beercounter_entries_count);
  return drinkers.toSorted(compareDrinkers).map((drinker) => ({
    key: drinker.id,
    label: drinker.name,
    value: formatNumber(drinker.beercounter_entries_count),
    height: barHeight(drinker.beercounter_entries_count, counts),
    tone: drinker.id === memberId ? "mine" : "others",
    ...(drinker.rank !== undefined && { note: `${formatNumber(drinker.rank)}.` }),
    ...(drinker.id === memberId && {
      mark: drinker.rank === undefined ? "Du" : `Du, ${formatNumber(drinker.rank)}.`,
    }),
    ...(drinker.is_home === true && { note: "daheim" }),
    ...(drinker.guest_of !== undefined && { note: <GuestNote of={drinker.guest_of} /> }),
    picture:
      drinker.guest_of === undefined ? (
        <DrinkerPicture
          name={drinker.name}
          avatarId={drinker.profile_picture}
          as={PageLink}
          href={drinker.id === memberId ? "/member" : `/members/${drinker.id}`}
        />
      ) : (
        <Avatar id={null} name={drinker.name} size={40} />
      ),
  }));
}

/**
 * Marks the bar of a party guest. Only screen readers get the inviting member's name, which does
 * not fit below a bar.
 */
function GuestNote({ of }: { of: string | null }): ReactNode {
  return (
    <>
      Gast
      {of !== null && <span className="visually-hidden">{` von ${of}`}</span>}
    </>
  );
}
