import type { ReactNode } from "react";

import { compareDrinkers, type Drinker } from "#contract/beercounter.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { BarChart, barHeight, type Bar } from "#web/ui/bar-chart.tsx";
import { DrinkerPicture } from "#web/ui/drinker-picture.tsx";
import { formatNumber } from "#web/ui/german.ts";
import { EmptyMessage } from "#web/ui/query-state.tsx";
import { PageLink } from "./page-link.tsx";
import { useSession } from "./session.ts";

const chartHeight = 250;
/** Chart, values above it, names, the line for "Du" and the pictures beneath, in px. */
export const rankingHeight = chartHeight + 137;

/**
 * `is_home`: the member has gone home from the running party. `guest_of`: no member but a guest, and of whom; `null` if that member is not
 * named.
 */
export type RankedDrinker = Drinker & { readonly is_home?: boolean; readonly guest_of?: string | null };

interface RankingProps {
  readonly drinkers: readonly RankedDrinker[];
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

function toBars(drinkers: readonly RankedDrinker[], memberId: number | undefined): Bar[] {
  const counts = drinkers.map((drinker) => drinker.beercounter_entries_count);
  return drinkers.toSorted(compareDrinkers).map((drinker) => ({
    key: drinker.id,
    label: drinker.name,
    value: formatNumber(drinker.beercounter_entries_count),
    height: barHeight(drinker.beercounter_entries_count, counts),
    tone: drinker.id === memberId ? "mine" : "others",
    ...(drinker.id === memberId && { mark: "Du" }),
    ...(drinker.is_home === true && { note: "daheim" }),
    ...(drinker.guest_of !== undefined && { note: <GuestNote of={drinker.guest_of} /> }),
    picture:
      drinker.guest_of === undefined ? (
        <DrinkerPicture
          name={drinker.name}
          avatarId={drinker.profile_picture}
          as={PageLink}
          href={drinker.id === memberId ? "/member" : `/member?id=${drinker.id}`}
        />
      ) : (
        <Avatar id={null} name={drinker.name} size={40} />
      ),
  }));
}

/** There is no room for whose guest it is below a bar. */
function GuestNote({ of }: { of: string | null }): ReactNode {
  return (
    <>
      Gast
      {of !== null && <span className="visually-hidden">{` von ${of}`}</span>}
    </>
  );
}
