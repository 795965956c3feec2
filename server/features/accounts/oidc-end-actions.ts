import { type Db } from "#server/db/connect.ts";
import { lockUser } from "#server/features/members/store.ts";
import { change } from "#server/platform/change.ts";
import type { Context } from "#server/platform/context.ts";
import { Refusal, refuse } from "#server/platform/http/refusal.ts";
import { sha256 } from "#server/platform/http/session-cookies.ts";
import { type Claims, createProvider, type Provider, type Renewal } from "#server/platform/oidc/provider.ts";
import { seal, unseal } from "#server/platform/security/sealed-text.ts";
import { hours } from "#server/time.ts";
import { endAllSessions } from "./login-actions.ts";
import { isInAllowedGroup, lifetimeMs } from "./oidc-rules.ts";
import * as store from "./oidc-store.ts";
import * as tokenStore from "./token-store.ts";

/** Less than a day, because the job runs once an hour. */
const checkEvery = hours(22);

/** A token that names no session ends all of the member, and the API tokens, too. */
export async function endSessions(context: Context, provider: Provider, token: string): Promise<void> {
  const { clock, log } = context;
  const { jti, sub, sid = null } = await provider.readLogoutToken(token);
  const users = await change(context, null, async (tx, say) => {
    const expires_at = clock.now() + lifetimeMs.logout;
    if (!(await store.claimLogout(tx, { id: sha256(jti), expires_at }))) throw refuse("invalidRequest");
    const identity = sub === undefined ? undefined : await store.findIdentity(tx, provider.issuer, sub);
    // Another member's session id proves nothing about this one.
    if (sub !== undefined && !identity) return [];
    const ended = await store.deleteOidcSessions(tx, { userId: identity?.user_id ?? null, sid });
    const byUser = Map.groupBy(ended, ({ user_id }) => user_id);
    for (const [userId, sessions] of byUser) await say.access({ userId, sessionIds: sessions.map(({ id }) => id) });
    if (sid === null) await tokenStore.deleteTokens(tx, identity!.user_id);
    return [...byUser.keys()];
  });
  for (const user of users) log.info("logout", { user, with: "oidc" });
}

export function checkGroup({ config }: Pick<Context, "config">, claims: Claims): void {
  if (!isInAllowedGroup(claims, config.oidcGroups)) throw refuse("oidcGroupMissing");
}

/** Keeps the refresh token of a login, with which the groups are looked at again. */
export async function keepGrant(
  { config, clock }: Pick<Context, "config" | "clock">,
  tx: Db,
  identityId: number,
  sealedToken: string | null,
): Promise<void> {
  if (sealedToken === null || config.oidcGroups.length === 0) return;
  await store.upsertGrant(tx, { identity_id: identityId, refresh_token: sealedToken, checked_at: clock.now() });
}

export function sealToken(
  { rotatableSecrets }: Pick<Context, "rotatableSecrets">,
  token: string | null,
): string | null {
  return token === null ? null : seal(rotatableSecrets.current("appKey"), token);
}

type Grant = Awaited<ReturnType<typeof store.listGrants>>[number];

/** Seals the refresh tokens with a rotated app key while the previous one is still accepted. */
export async function sealGrantsAgain(context: Context): Promise<void> {
  const { db, config, clock, rotatableSecrets } = context;
  if (config.oidcIssuer === null) return;
  const { issuer } = createProvider(context);
  for (const grant of await store.listGrants(db, issuer, clock.now())) {
    if (unseal(rotatableSecrets.current("appKey"), grant.refresh_token) !== null) continue;
    const token = await openGrant(context, grant);
    if (token !== null) await store.updateGrant(db, grant, { refresh_token: sealToken(context, token)! });
  }
}

async function openGrant({ rotatableSecrets }: Context, { refresh_token }: Grant): Promise<string | null> {
  let token: string | null = null;
  await rotatableSecrets.accepts("appKey", (secret) => (token = unseal(secret, refresh_token)) !== null);
  return token;
}

/**
 * Asks the provider for the present groups of each member who logged in there. A member in no allowed group, or whom the
 * provider no longer knows, loses all sessions and API tokens. If the provider does not answer, the members keep theirs.
 */
export async function checkGroups(context: Context): Promise<void> {
  const { db, config, clock } = context;
  if (config.oidcIssuer === null || config.oidcGroups.length === 0) return;
  const provider = createProvider(context);
  for (const grant of await store.listGrants(db, provider.issuer, clock.now() - checkEvery)) {
    const token = await openGrant(context, grant);
    try {
      const renewal = token === null ? null : await provider.readAgain(token, grant.subject);
      await finishCheck(context, grant, renewal);
    } catch (error) {
      // The rest waits for the next hour.
      if (error instanceof Refusal) return;
      throw error;
    }
  }
}

async function finishCheck(context: Context, grant: Grant, renewal: Renewal | null): Promise<void> {
  const { config, clock, log } = context;
  const { user_id: userId } = grant;
  const isAllowed = renewal !== null && (!renewal.claims || isInAllowedGroup(renewal.claims, config.oidcGroups));
  const isEnded = await change(context, null, async (tx, say) => {
    await lockUser(tx, userId);
    if (isAllowed) {
      const refresh_token = sealToken(context, renewal.refreshToken)!;
      await store.updateGrant(tx, grant, {
        refresh_token,
        ...(renewal.claims !== undefined && { checked_at: clock.now() }),
      });
      return false;
    }
    // A login since then has proven the group again.
    if (!(await store.deleteGrant(tx, grant))) return false;
    await endAllSessions(tx, userId, null);
    await tokenStore.deleteTokens(tx, userId);
    await say.access({ userId });
    return true;
  });
  if (isEnded) log.info("oidc-access-ended", { user: userId, reason: renewal === null ? "revoked" : "group" });
}
