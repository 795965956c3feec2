import type { FastifyReply } from "fastify";

import * as contract from "#contract/beercounter.ts";
import { saveVisibility, toastMember } from "#contract/presence.ts";
import * as tapFor from "#contract/tap-for.ts";
import { getTapSettings, saveTapSettings } from "#contract/tap-settings.ts";
import type { Context } from "#server/platform/context.ts";
import type { Feature } from "#server/platform/feature.ts";
import { handle } from "#server/platform/http/handle.ts";
import { refuseField } from "#server/platform/http/refusal.ts";
import { shareByVersion } from "#server/platform/http/shared-reply.ts";
import { toIso } from "#server/time.ts";
import {
  beercounterChannel,
  createDayVersion,
  listRecentBeers,
  createTapBooking,
  findTimelyStats,
  undoBeer,
} from "./actions.ts";
import { toast, updateVisibility } from "./presence-actions.ts";
import { shortenRanking } from "./rules.ts";
import * as store from "./store.ts";
import { drinkFor, listTappableMembers, undoFor } from "./tap-for-actions.ts";
import { checkTapMember, readKeyedTap, readTapHeaders } from "./tap-rules.ts";
import { findTapSettings, updateTapSettings } from "./tap-settings-actions.ts";

export const channels = ((context) => [beercounterChannel(context)]) satisfies Feature["channels"];

export function addRoutes(context: Context): void {
  const { http, db, clock, config } = context;
  const drink = createTapBooking(context);

  handle(http, contract.getCounters, async ({ member, reply }) =>
    withHeaders(reply, await store.findTotals(db, member.id)),
  );

  handle(http, contract.drinkBeer, async ({ member, body: { kind }, request: { headers, apiToken }, reply }) => {
    const { key, age } = readTapHeaders(headers, member);
    // A program must send a key: it retries a tap whose answer was lost, and a retry must not count again.
    if (apiToken !== null && key === null) throw refuseField(contract.tapHeaders.key, "required");
    const booking = await drink(member, key, age, kind);
    return withHeaders(reply, booking);
  });

  handle(http, contract.undoTap, async ({ member, params: { key }, request: { headers }, reply }) => {
    checkTapMember(headers, member);
    return withHeaders(reply, await undoBeer(context, member.id, { key }));
  });

  handle(http, contract.removeBeer, async ({ member, params, reply }) =>
    withHeaders(reply, await undoBeer(context, member.id, { id: params.id })),
  );

  handle(http, contract.getOwnBeers, ({ member }) => listRecentBeers(db, member.id, clock.now()));
  // All open pages request the statistics at once after a change of names; they are read once per version.
  const findVersion = async () => String((await store.findGroupTotal(db)).version);
  const shareRanking = shareByVersion(contract.getDrinkers, findVersion, async () => ({
    users: await store.listDrinkers(db),
  }));
  handle(http, contract.getDrinkers, async ({ query: { range }, member }) => {
    const ranking = await shareRanking();
    return (range === "near" && shortenRanking(ranking.value.users, member.id)) || ranking;
  });
  const readLatestBeer = async () => {
    const [beer] = await store.listLatestBeers(db, 1);
    return { beer: beer ? { userId: beer.userId, userName: beer.name, at: toIso(beer.at) } : null };
  };
  handle(http, contract.getLatestBeer, shareByVersion(contract.getLatestBeer, findVersion, readLatestBeer));
  const readTimelyStats = () => findTimelyStats(db, clock.now(), config.timeZone);
  handle(
    http,
    contract.getTimelyStats,
    shareByVersion(contract.getTimelyStats, createDayVersion(context), readTimelyStats),
  );

  handle(http, tapFor.getTappableMembers, ({ member }) => listTappableMembers(context, member));
  handle(http, tapFor.drinkFor, ({ member, params, body: { kind }, request: { headers } }) =>
    drinkFor(context, drink, member, params.id, { ...readKeyedTap(headers, member), kind }),
  );
  handle(http, tapFor.undoFor, ({ member, params: { id, key }, request: { headers } }) => {
    checkTapMember(headers, member);
    return undoFor(context, member, id, key);
  });
  handle(http, getTapSettings, ({ member }) => findTapSettings(context, member));
  handle(http, saveTapSettings, ({ member, body }) => updateTapSettings(context, member, body));

  handle(http, saveVisibility, async ({ member, body }) => ({ data: await updateVisibility(context, member, body) }));
  handle(http, toastMember, ({ member, params }) => toast(context, member, params.id));
}

/** The version is a header that other origins can read. */
function withHeaders(
  reply: FastifyReply,
  { totals, version, isReplayed }: { totals: contract.Totals; version: number | null; isReplayed?: boolean },
): contract.Counters {
  const name = contract.countersVersionHeader;
  if (version !== null) reply.header(name, version).header("access-control-expose-headers", name);
  if (isReplayed) reply.header(contract.replayedHeader, "true");
  return contract.toCounters(totals);
}
