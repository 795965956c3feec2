import { compareDrinkers, type NewTotals, type ShownRanking } from "#contract/beercounter.ts";

type RankedUser = ShownRanking["users"][number];

/**
 * Returns the ranking with new totals; `null` if it must be refetched, because a member whom it does not contain may
 * now belong to it.
 */
export function updateRanking(ranking: ShownRanking, totals: NewTotals): ShownRanking | null {
  const changed = new Map(totals);
  if (ranking.total !== undefined) return updateShortened(ranking, changed, ranking.total);
  const users = applyTotals(ranking.users, changed);
  return changed.size > 0 && totals.some(([id]) => !users.some((user) => user.id === id)) ? null : { users };
}

/** Updates the top and the neighbors of the member in a large group, between which members are missing. */
function updateShortened(
  { users }: ShownRanking,
  changed: ReadonlyMap<number, number>,
  total: number,
): ShownRanking | null {
  const blocks = splitBlocks(users);
  if (!blocks.every((block) => [...changed].every((one) => staysInPlace(block, one, total)))) return null;
  return {
    users: blocks.flatMap((block) =>
      applyTotals(block, changed).map((user, index) => ({ ...user, rank: block[index]!.rank })),
    ),
    total,
  };
}

/** Splits a shortened ranking where ranks are missing. */
function splitBlocks(users: readonly RankedUser[]): RankedUser[][] {
  const blocks: RankedUser[][] = [];
  for (const user of users) {
    const last = blocks.at(-1);
    if (last && last.at(-1)!.rank! + 1 === user.rank) last.push(user);
    else blocks.push([user]);
  }
  return blocks;
}

/** Returns `false` if the new total moves a member into the block, out of it, or past one of its open ends. */
function staysInPlace(block: readonly RankedUser[], [id, count]: readonly [number, number], total: number): boolean {
  const [first, last] = [block[0]!, block.at(-1)!];
  const upper = first.rank === 1 ? Infinity : first.beercounter_entries_count;
  const lower = last.rank === total ? -Infinity : last.beercounter_entries_count;
  const isListed = block.some((user) => user.id === id);
  return isListed ? count > lower && count < upper : count < lower || count > upper;
}

function applyTotals(users: readonly RankedUser[], changed: ReadonlyMap<number, number>): RankedUser[] {
  return users
    .map((user) => ({
      ...user,
      beercounter_entries_count: changed.get(user.id) ?? user.beercounter_entries_count,
    }))
    .toSorted(compareDrinkers);
}
