import { type Drinker, getDrinkers } from "#contract/beercounter.ts";
import { SharedReply, shareByVersion } from "#server/platform/http/shared-reply.ts";
import { shortenRanking } from "./rules.ts";

/**
 * Creates the replies with the ranking, which is read once per version of the counts. `near` returns
 * the ranking around a member, which equals `all` unless the group is large.
 */
export function createRankingReplies(findVersion: () => Promise<string>, list: () => Promise<Drinker[]>) {
  let drinkers: readonly Drinker[] = [];
  const all = shareByVersion(getDrinkers, findVersion, async () => ({ users: (drinkers = await list()) }));
  return {
    all,
    async near(memberId: number): Promise<SharedReply> {
      const reply = await all();
      const shortened = shortenRanking(drinkers, memberId);
      return shortened === null ? reply : new SharedReply(getDrinkers, shortened);
    },
  };
}
