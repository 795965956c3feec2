import * as contract from "#contract/api-tokens.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import { type Db, inTransaction, tryWrite } from "#server/db/connect.ts";
import { lockSession } from "#server/features/members/session-actions.ts";
import * as memberStore from "#server/features/members/store.ts";
import { change } from "#server/platform/change.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Context } from "#server/platform/context.ts";
import type { Member, TokenCaller } from "#server/platform/http/member.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import type { RequestSource } from "#server/platform/http/request-log.ts";
import { createRandomToken, sha256 } from "#server/platform/http/session-cookies.ts";
import { formatDateTime } from "#server/platform/mail/notice.ts";
import { days, minutes, toIso } from "#server/time.ts";
import * as eventStore from "./event-store.ts";
import * as store from "./token-store.ts";

export function createApiToken(): string {
  return `st_${createRandomToken()}`;
}

/** Minimum time between two writes of a token's `last_used_at`. */
const touchIntervalMs = minutes(1);

/** The function returns `null` for an invalid token. */
export function createFindTokenCaller(db: Db, clock: Clock): (token: string) => Promise<TokenCaller | null> {
  return async (token) => {
    const now = clock.now();
    const row = await store.findToken(db, sha256(token), now);
    if (!row) return null;
    if (now - (row.last_used_at ?? 0) >= touchIntervalMs) await tryWrite(store.updateLastUsed(db, row.token_id, now));
    return {
      scope: row.scope,
      member: { ...memberStore.toUser(row), sessionId: "", confirmedAt: 0, passkeyAt: null },
    };
  };
}

export async function listOwnTokens({ db }: Pick<Context, "db">, { id }: Member): Promise<contract.ApiToken[]> {
  return (await store.listTokens(db, id)).map(({ created_at, expires_at, last_used_at, ...token }) => ({
    ...token,
    created_at: toIso(created_at),
    expires_at: toIso(expires_at),
    last_used_at: toIso(last_used_at),
  }));
}

/** Stores only a hash of the token. */
export async function createToken(
  context: Pick<Context, "db" | "config" | "clock" | "log" | "say">,
  member: Member,
  { name, scope, days: lifetime }: BodyOf<typeof contract.createToken>,
  { device }: RequestSource,
): Promise<{ token: string }> {
  const { config, clock, log } = context;
  const token = createApiToken();
  const now = clock.now();
  await change(context, member.id, async (tx, say) => {
    await lockSession(tx, member);
    if ((await store.listTokens(tx, member.id)).length >= contract.maxTokens) throw refuse("tooManyTokens");
    await store.createToken(tx, {
      user_id: member.id,
      token_hash: sha256(token),
      name,
      scope,
      created_at: now,
      expires_at: lifetime === 0 ? null : now + days(lifetime),
      last_used_at: null,
    });
    await eventStore.createAccountEvent(tx, { user_id: member.id, at: now, kind: "token-added", device });
    const message = {
      recipient: member.email,
      subject: "Du hast einen neuen API-Token",
      paragraphs: [
        `am ${formatDateTime(now, config.timeZone)} kam ein API-Token zu deinem Account. Programme können damit für dich lesen oder Biere eintragen.`,
      ],
      closing: "Du warst das nicht? Dann setze dein Passwort zurück: Das widerruft alle Tokens.",
    };
    await say.mail(message);
  });
  log.info("token-added", { user: member.id, scope });
  return { token };
}

/** Refuses with 404 if the member has no such token. */
export async function revokeToken(
  { db, clock, log }: Pick<Context, "db" | "clock" | "log">,
  member: Member,
  id: number,
  { device }: RequestSource,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await store.deleteToken(tx, member.id, id))) throw refuse("notFound");
    await eventStore.createAccountEvent(tx, { user_id: member.id, at: clock.now(), kind: "token-revoked", device });
  });
  log.info("token-revoked", { user: member.id });
}
