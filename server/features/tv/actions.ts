import type { IncomingHttpHeaders } from "node:http";

import type { TvLink } from "#contract/admin-tv.ts";
import { tvTokenHeader, maxTvTaps, type TvScreen } from "#contract/tv.ts";
import { tryWrite } from "#server/db/connect.ts";
import { listDrinkers, listLatestBeers, findGroup } from "#server/features/beercounter/store.ts";
import { inAdminChange } from "#server/features/members/actions.ts";
import { findLatestMilestone } from "#server/features/milestones/store.ts";
import { createAuditEntry } from "#server/platform/audit/store.ts";
import type { Context } from "#server/platform/context.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import { createRandomToken, sha256 } from "#server/platform/http/session-cookies.ts";
import { toIso } from "#server/time.ts";
import { lastUsedInterval, maxIdleMs } from "./rules.ts";
import * as store from "./store.ts";

/** Creates a link for a television. Its token is in the fragment, so that no log and no proxy ever sees it. */
export async function createTvLink(
  { db, clock, config, log }: Context,
  name: string,
  by: number,
): Promise<{ id: number; url: string }> {
  const token = createRandomToken();
  const at = clock.now();
  const link = { name, token_hash: sha256(token), created_by: by, created_at: at, last_used_at: null };
  const id = await inAdminChange(db, by, async (tx) => {
    await createAuditEntry(tx, "tv-link-made", { name }, { at, by });
    return store.createLink(tx, link);
  });
  log.info("tv-link-made", { by });
  return { id, url: new URL(`/tv#token=${token}`, config.appUrl).href };
}

/** 404 if there is none with this id. */
export async function revokeTvLink({ db, clock, log }: Context, id: number, by: number): Promise<void> {
  await inAdminChange(db, by, async (tx) => {
    const name = await store.deleteLink(tx, id);
    if (name === undefined) throw refuse("M404");
    await createAuditEntry(tx, "tv-link-revoked", { name }, { at: clock.now(), by });
  });
  log.info("tv-link-revoked", { by });
}

export async function listTvLinks({ db }: Context): Promise<TvLink[]> {
  return (await store.listLinks(db)).map(({ created_at, last_used_at, ...link }) => ({
    ...link,
    created_at: toIso(created_at),
    last_used_at: last_used_at === null ? null : toIso(last_used_at),
  }));
}

/** 401 without the token of a link, whatever the reason: missing, unknown, revoked or not used for too long. */
export async function checkTvToken({ db, clock }: Context, headers: IncomingHttpHeaders): Promise<void> {
  const token = headers[tvTokenHeader.toLowerCase()];
  const now = clock.now();
  const link = typeof token === "string" ? await store.findLink(db, sha256(token), now - maxIdleMs) : undefined;
  if (!link) throw refuse("M401");
  if (Math.abs(now - (link.last_used_at ?? 0)) >= lastUsedInterval)
    await tryWrite(store.updateLastUsed(db, link.id, now));
}

export async function findTvScreen({ db, group }: Context): Promise<TvScreen> {
  const { group_name, group_short } = await group.settings();
  const { total } = await findGroup(db);
  const drinkers = await listDrinkers(db);
  const taps = await listLatestBeers(db, maxTvTaps);
  const milestone = await findLatestMilestone(db);
  return {
    group_name,
    group_short,
    total,
    drinkers: drinkers.map((drinker) => ({
      id: drinker.id,
      name: drinker.name,
      avatarId: drinker.profile_picture,
      count: drinker.beercounter_entries_count,
    })),
    taps: taps.map((tap) => ({ ...tap, at: toIso(tap.at) })),
    milestone: milestone ? { ...milestone, at: toIso(milestone.at) } : null,
  };
}
