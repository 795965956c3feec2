import { setTimeout as sleep } from "node:timers/promises";

import type { login as loginEndpoint } from "#contract/auth.ts";
import type { BodyOf, Permission } from "#contract/endpoint.ts";
import { fieldText } from "#contract/errors.ts";
import type { User } from "#contract/members.ts";
import type { Config } from "#server/config.ts";
import { type Db, inTransaction } from "#server/db/connect.ts";
import { fold } from "#server/features/members/rules.ts";
import {
  addFailedLogin,
  clearFailedLogins,
  findUserByUname,
  lockLogins,
  setPasswordHash,
  toUser,
} from "#server/features/members/store.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Member } from "#server/platform/http/member.ts";
import { addressKey } from "#server/platform/http/rate.ts";
import { Refusal, refuseFields } from "#server/platform/http/refuse.ts";
import { newSessionId, sha256 } from "#server/platform/http/session-cookie.ts";
import { hashPassword, isOutdated, nobodysHash, verifyPassword } from "#server/platform/passwords.ts";
import type { Platform } from "#server/platform/platform.ts";
import type { Access } from "#server/platform/realtime/options.ts";
import { accountPause, day, maxSessions, minute, sessionEdges, throttle } from "./rules.ts";
import {
  clearAttempts,
  countAttempt,
  deleteOldestSessions,
  deleteSession,
  findSessions,
  insertSession,
  touchSession,
} from "./store.ts";

/** Sessions are marked as seen at most this often; idle times are exact to it. */
const touchEvery = minute / 2;
/** No failure answers faster, so that a stranger learns nothing from the time it takes. */
const failureTakesMs = 200;
/** Guesses that may wait for their hash; the next one is told to come back. */
const maxWaitingGuesses = 64;

/** Who is behind a session id, with rights as they are at this moment. */
export function createFindMember(db: Db, config: Config, clock: Clock): (sessionId: string) => Promise<Member | null> {
  return async (sessionId) => {
    const now = clock.now();
    const id = sha256(sessionId);
    const [row] = await findSessions(db, [id], sessionEdges(now, config.rememberDays));
    if (!row) return null;
    const { session_id, last_seen_at, confirmed_at, ...user } = row;
    // Marking may fail while the disk is full; reading goes on.
    if (now - last_seen_at > touchEvery) await touchSession(db, id, now).catch(() => {});
    return { ...toUser(user), sessionId: session_id, confirmedAt: confirmed_at };
  };
}

/** The same for the sessions behind sockets, by their stored ids. */
export function createFindAccess(db: Db, config: Config, clock: Clock) {
  return async (ids: readonly string[]): Promise<Map<string, Access>> => {
    if (ids.length === 0) return new Map();
    const rows = await findSessions(db, ids, sessionEdges(clock.now(), config.rememberDays));
    return new Map(
      rows.map((row) => [
        row.session_id,
        {
          sessionId: row.session_id,
          userId: row.id,
          name: row.name,
          avatarId: row.avatar_id,
          permissions: JSON.parse(row.permissions) as Permission[],
        },
      ]),
    );
  };
}

export interface Client {
  readonly ip: string;
  readonly userAgent: string;
}

/** A session that has just begun: its id for the cookie, and how long the browser keeps it (null: until it closes). */
export interface StartedSession {
  readonly user: User;
  readonly sessionId: string;
  readonly maxAgeSeconds: number | null;
}

export async function login(
  platform: Platform,
  credentials: BodyOf<typeof loginEndpoint>,
  client: Client,
): Promise<StartedSession> {
  const { db, config, clock, log } = platform;
  const earliest = performance.now() + failureTakesMs;
  const checked = await checkCredentials(platform, credentials, client).catch(async (error: unknown) => {
    await sleep(Math.max(0, earliest - performance.now()));
    throw error;
  });
  const sessionId = newSessionId();
  const now = clock.now();
  const ended = await inTransaction(db, async (tx) => {
    await insertSession(tx, {
      id: sha256(sessionId),
      user_id: checked.id,
      is_remembered: credentials.rememberUser ? 1 : 0,
      user_agent: client.userAgent.slice(0, 256),
      created_at: now,
      last_seen_at: now,
      confirmed_at: now,
    });
    return deleteOldestSessions(tx, checked.id, maxSessions);
  });
  if (ended.length > 0) await platform.realtime.accessChanged({ sessionIds: ended });
  log.info("login", { user: checked.id });
  const maxAgeSeconds = credentials.rememberUser ? (config.rememberDays * day) / 1000 : null;
  return { user: toUser(checked), sessionId, maxAgeSeconds };
}

/**
 * The member these credentials belong to. Three limits stand in front, all in the database so that a restart lifts none:
 * per name and address, per address, and failures in a row per account. Attempts count before the password is looked at,
 * so that a hundred at once get no further than a hundred in turn.
 */
async function checkCredentials(
  { db, config, clock, log }: Platform,
  { uname, password }: { uname: string; password: string },
  { ip }: Client,
) {
  const limitOf = ({ limit }: { limit: number }) => Math.max(1, Math.floor(limit * config.rateLimitFactor));
  const { perAddress, perNameAndAddress, perAccount } = throttle;
  const address = addressKey(ip);
  const nameAndAddress = `name:${fold(uname)}|${address}`;
  const now = clock.now();

  const byAddress = await countAttempt(db, `address:${address}`, now, perAddress.windowMs);
  if (byAddress.attempts > limitOf(perAddress)) throw throttled(byAddress.resets_at - now);
  const byName = await countAttempt(db, nameAndAddress, now, perNameAndAddress.windowMs);
  if (byName.attempts > limitOf(perNameAndAddress)) throw throttled(byName.resets_at - now);
  const user = await findUserByUname(db, uname);
  if (user && user.locked_until > now) throw throttled(user.locked_until - now);

  const isRight = await verifyPassword(user?.password_hash ?? nobodysHash, password, maxWaitingGuesses);
  if (!user || !isRight || user.disabled_at !== null) {
    log.info("login-failed", { user: user?.id });
    if (user) {
      const pause = accountPause(await addFailedLogin(db, user.id), limitOf(perAccount));
      if (pause > 0) await lockLogins(db, user.id, now + pause);
    }
    throw refuseFields({ uname: [fieldText("L-fail", "uname")] });
  }
  await clearAttempts(db, nameAndAddress);
  await clearFailedLogins(db, user.id);
  if (isOutdated(user.password_hash)) await setPasswordHash(db, user.id, await hashPassword(password));
  const { password_hash: _, disabled_at: __, failed_logins: ___, locked_until: ____, ...row } = user;
  return row;

  function throttled(waitMs: number): Refusal {
    const seconds = Math.max(1, Math.ceil(waitMs / 1000));
    log.info("login-throttled");
    const text = fieldText("L-thr", "uname", { seconds });
    return new Refusal(429, text, { uname: [text] }, seconds);
  }
}

/** Ends one session and closes its sockets. */
export async function endSession({ db, realtime, log }: Platform, sessionId: string): Promise<void> {
  const id = sha256(sessionId);
  const user = await deleteSession(db, id);
  if (user === undefined) return;
  await realtime.accessChanged({ sessionIds: [id] });
  log.info("logout", { user });
}
