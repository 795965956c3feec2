import type { IncomingHttpHeaders } from "node:http";

import { compareDrinkers, type Drinker } from "#contract/beercounter.ts";
import type { BodyOf, ReplyOf } from "#contract/endpoint.ts";
import { toListedMember } from "#contract/members.ts";
import type { pairTv, TvLink } from "#contract/tv.ts";
import {
  type getTvCode,
  type makeTvCode,
  maxTvTaps,
  tvCodeLifetime,
  tvTokenHeader,
  type TvDrinker,
  type TvParty,
  type TvScope,
  type TvScreen,
} from "#contract/tv.ts";
import { type Db, inTransaction, tryWrite } from "#server/db/connect.ts";
import * as milestoneStore from "#server/features/beers/milestone-store.ts";
import { startOfEvening } from "#server/features/beers/rules.ts";
import * as beerStore from "#server/features/beers/store.ts";
import { changeAsAdmin } from "#server/features/members/actions.ts";
import { isNamed } from "#server/features/members/rules.ts";
import * as memberStore from "#server/features/members/store.ts";
import * as guestStore from "#server/features/parties/guest-store.ts";
import { countByMember } from "#server/features/parties/rules.ts";
import * as partyStore from "#server/features/parties/store.ts";
import { change } from "#server/platform/change.ts";
import type { Context } from "#server/platform/context.ts";
import { checkRecentPasskey, type Member } from "#server/platform/http/member.ts";
import { refuse, refuseField } from "#server/platform/http/refusal.ts";
import { createRandomToken, sha256 } from "#server/platform/http/session-cookies.ts";
import { checkCount } from "#server/platform/limits/limits.ts";
import * as limitsStore from "#server/platform/limits/store.ts";
import type { Say } from "#server/platform/say.ts";
import { toIso } from "#server/time.ts";
import { codeAttempts, createTvCode, lastUsedInterval, maxIdleMs, maxWaitingCodes } from "./rules.ts";
import * as store from "./store.ts";

/** Puts the token in the URL's fragment, so that logs and proxies do not contain it. */
export async function createTvLink(
  context: Pick<Context, "db" | "clock" | "config" | "log" | "say">,
  name: string,
  by: number,
): Promise<{ id: number; url: string }> {
  const { clock, config, log } = context;
  const token = createRandomToken();
  const at = clock.now();
  const link = { name, token_hash: sha256(token), created_by: by, created_at: at, last_used_at: null };
  const id = await changeAsAdmin(context, by, async (tx, say) => {
    await say.audit("tv-link-made", { name });
    return store.createLink(tx, link);
  });
  log.info("tv-link-made", { by });
  return { id, url: new URL(`/tv#token=${token}`, config.appUrl).href };
}

/** Refuses with 404 if the link does not exist. */
export async function revokeTvLink(
  context: Pick<Context, "db" | "clock" | "log" | "say">,
  id: number,
  by: number,
): Promise<void> {
  const { log } = context;
  await changeAsAdmin(context, by, async (tx, say) => {
    const link = await store.deleteLink(tx, id);
    if (!link) throw refuse("notFound");
    await say.audit(link.scope === "tablet" ? "tablet-revoked" : "tv-link-revoked", { name: link.name });
  });
  log.info("tv-link-revoked", { by });
}

export async function listTvLinks({ db }: Pick<Context, "db">): Promise<TvLink[]> {
  return (await store.listLinks(db)).map(({ created_at, last_used_at, ...link }) => ({
    ...link,
    created_at: toIso(created_at),
    last_used_at: toIso(last_used_at),
  }));
}

/**
 * Records the use of a link. Refuses with the same 401 if the token is missing, unknown, revoked or of another scope, or
 * has not been used for too long.
 */
export async function findTvLink(
  { db, clock }: Pick<Context, "db" | "clock">,
  headers: IncomingHttpHeaders,
  scope?: TvScope,
) {
  const token = headers[tvTokenHeader.toLowerCase()];
  const now = clock.now();
  const link = typeof token === "string" ? await store.findLink(db, sha256(token), now - maxIdleMs) : undefined;
  if (!link || (scope && link.scope !== scope)) throw refuse("notLoggedIn");
  if (now - (link.last_used_at ?? 0) >= lastUsedInterval) await tryWrite(store.updateLastUsed(db, link.id, now));
  return link;
}

export async function findTvScreen({
  db,
  group,
  clock,
  config,
}: Pick<Context, "db" | "group" | "clock" | "config">): Promise<TvScreen> {
  const { group_name, group_short } = await group.settings();
  const { total } = await beerStore.findGroupTotal(db);
  const drinkers = await beerStore.listDrinkers(db);
  const taps = await beerStore.listLatestBeers(db, maxTvTaps);
  const milestone = await milestoneStore.findLatestMilestone(db);
  const now = clock.now();
  return {
    group_name,
    group_short,
    total,
    tonight: await store.countBeersSince(db, startOfEvening(now, config.timeZone)),
    parties: await listTvParties(db, now),
    drinkers: drinkers.map(toTvDrinker),
    taps: taps.map((tap) => ({ ...tap, at: toIso(tap.at) })),
    milestone: milestone ? { ...milestone, at: toIso(milestone.at) } : null,
  };
}

interface Ranked extends Pick<Drinker, "id" | "name" | "profile_picture" | "beercounter_entries_count"> {
  readonly is_guest?: true;
}

function toTvDrinker({ beercounter_entries_count: count, ...drinker }: Ranked): TvDrinker {
  return { ...toListedMember(drinker), count, ...(drinker.is_guest && { is_guest: true }) };
}

async function listTvParties(db: Db, now: number): Promise<TvParty[]> {
  const parties = (await partyStore.listRunningWithTotals(db, now))
    .map((party) => ({ ...party, total: party.member_total + party.guest_total }))
    .toSorted((one, other) => other.total - one.total || other.id - one.id);
  return Promise.all(
    parties.map(async (party) => {
      const { id, name, total, guest_total } = party;
      const all = await partyStore.listMembers(db, id);
      const named = all.filter((user) => isNamed(user, "parties"));
      const members = named.filter(({ is_home }) => is_home === 0).map(toListedMember);
      const guestTaps = await guestStore.listNewestBeers(db, id, maxTvTaps);
      return {
        id,
        name,
        total,
        guest_total,
        guest_taps: guestTaps.map((tap) => ({ ...tap, at: toIso(tap.at) })),
        members,
        others: all.filter(({ is_home }) => is_home === 0).length - members.length,
        drinkers: await rankParty(db, party, named),
      };
    }),
  );
}

type Party = Awaited<ReturnType<typeof partyStore.listRunningWithTotals>>[number];

async function rankParty(
  db: Db,
  party: Party,
  members: readonly Omit<Ranked, "beercounter_entries_count">[],
): Promise<TvDrinker[]> {
  const counts = countByMember(await partyStore.countBeers(db, party));
  const guests = await guestStore.listGuestsWithTotals(db, party);
  return [
    ...members.map((member) => ({ ...member, beercounter_entries_count: counts.get(member.id) ?? 0 })),
    ...guests.map((guest) => ({ ...guest, profile_picture: null, is_guest: true }) as const),
  ]
    .toSorted(compareDrinkers)
    .map(toTvDrinker);
}

/** Returns a secret for the TV that shows the code. The database stores only hashes. */
export async function createPairing({ db, clock }: Pick<Context, "db" | "clock">): Promise<ReplyOf<typeof makeTvCode>> {
  const now = clock.now();
  const secret = createRandomToken();
  const code = createTvCode();
  await inTransaction(db, async (tx) => {
    await store.deleteExpiredPairings(tx, now);
    await store.deleteOldestUnusedPairings(tx, maxWaitingCodes - 1);
    await store.createPairing(tx, {
      code_hash: sha256(code),
      secret_hash: sha256(secret),
      expires_at: now + tvCodeLifetime,
      paired_at: null,
    });
  });
  return { secret, code, expires_in_seconds: tvCodeLifetime / 1000 };
}

/** Refuses an unknown secret with 404. */
export async function findPairingState(
  { db, clock }: Pick<Context, "db" | "clock">,
  headers: IncomingHttpHeaders,
): Promise<ReplyOf<typeof getTvCode>> {
  const secret = headers[tvTokenHeader.toLowerCase()];
  const pairing = typeof secret === "string" ? await store.findPairing(db, { secret_hash: sha256(secret) }) : undefined;
  if (!pairing) throw refuse("notFound");
  const scope = await store.findScope(db, pairing.secret_hash);
  if (pairing.paired_at !== null) return { state: "paired", ...(scope && { scope }) };
  return { state: isWaiting(pairing, clock.now()) ? "waiting" : "expired" };
}

/** Makes the device's secret the token of a TV link. Limits wrong codes like wrong passwords. */
export async function pairDevice(
  context: Context,
  { code, name, scope }: BodyOf<typeof pairTv>,
  member: Member,
): Promise<ReplyOf<typeof pairTv>> {
  const { clock, log, config } = context;
  const by = member.id;
  const isTablet = scope === "tablet";
  if (isTablet && !member.permissions.includes("admin")) throw refuse("forbidden");
  if (isTablet && config.adminPasskey) checkRecentPasskey(member, clock.now());
  const attempts = `tv-code:${by}`;
  checkCount(await limitsStore.countAttempt(context, codeAttempts, [attempts]), ["code", "tooManyWrongCodes"]);
  const at = clock.now();
  const pair = async (tx: Db, say: Say): Promise<number> => {
    const pairing = await store.findPairing(tx, { code_hash: sha256(code) });
    if (!pairing || !isWaiting(pairing, at)) throw refuseField("code", "wrongCode");
    if (!(await store.updatePairedAt(tx, pairing.id, at))) throw refuseField("code", "codeUsed");
    await say.audit(isTablet ? "tablet-paired" : "tv-paired", { name });
    const link = { name, scope, token_hash: pairing.secret_hash, created_by: by, created_at: at, last_used_at: null };
    await limitsStore.deleteAttempts(tx, attempts);
    return store.createLink(tx, link);
  };
  const id = isTablet
    ? await changeAsAdmin(context, by, pair)
    : await change(context, by, async (tx, say) => {
        if ((await memberStore.lockUser(tx, by))?.disabled_at !== null) throw refuse("notLoggedIn");
        return pair(tx, say);
      });
  log.info(isTablet ? "tablet-paired" : "tv-paired", { by });
  return { id, message: `„${name}“ ist verbunden.` };
}

function isWaiting({ expires_at }: { readonly expires_at: number }, now: number): boolean {
  return expires_at > now;
}
