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
  lockUserIfUnchanged,
  setLastLogin,
  setPasswordHash,
  toUser,
} from "#server/features/members/store.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Member } from "#server/platform/http/member.ts";
import { addressKey } from "#server/platform/http/rate.ts";
import { Refusal, refuse, refuseFields } from "#server/platform/http/refuse.ts";
import { newSessionId, sha256 } from "#server/platform/http/session-cookie.ts";
import { hashPassword, isOutdated, nobodysHash, refuseCrowd, verifyPassword } from "#server/platform/passwords.ts";
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
  rotateSession,
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
          isShown: row.is_shown === 1,
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

type Credentials = BodyOf<typeof loginEndpoint>;

export async function login(platform: Platform, credentials: Credentials, client: Client): Promise<StartedSession> {
  const earliest = performance.now() + failureTakesMs;
  return tryLogin(platform, credentials, client).catch(async (error: unknown) => {
    if (error instanceof Refusal && error.status === 429) platform.log.info("login-throttled");
    await sleep(Math.max(0, earliest - performance.now()));
    throw error;
  });
}

/**
 * Three limits stand in front, all in the database so that a restart lifts none: per name and address, per address, and
 * failures in a row per account. Attempts count before the password is looked at, so that a hundred at once get no further
 * than a hundred in turn.
 */
async function tryLogin(platform: Platform, credentials: Credentials, client: Client): Promise<StartedSession> {
  const { db, config, clock, log } = platform;
  const { uname, password } = credentials;
  const { perAddress, perNameAndAddress } = throttle;
  const address = addressKey(client.ip);
  const nameAndAddress = `name:${fold(uname)}|${address}`;
  const now = clock.steady();

  refuseCrowd(maxWaitingGuesses);
  const byAddress = await countAttempt(db, `address:${address}`, now, perAddress.windowMs);
  if (byAddress.attempts > limitOf(config, perAddress)) throw throttled("uname", byAddress.resets_at - now);
  const byName = await countAttempt(db, nameAndAddress, now, perNameAndAddress.windowMs);
  if (byName.attempts > limitOf(config, perNameAndAddress)) throw throttled("uname", byName.resets_at - now);
  const user = await findUserByUname(db, uname);
  if (user && user.locked_until > now) throw throttled("uname", user.locked_until - now);

  const account = user?.disabled_at === null ? user : undefined;
  const isRight = await isPasswordOf(platform, account, password);
  const started = isRight && account ? await startSession(platform, account, credentials, client) : null;
  if (!started) {
    log.info("login-failed", { user: user?.id });
    throw refuseFields({ uname: [fieldText("L-fail", "uname")] });
  }
  await clearAttempts(db, nameAndAddress);
  log.info("login", { user: started.user.id });
  return started;
}

type Account = NonNullable<Awaited<ReturnType<typeof findUserByUname>>>;

/** Writes the session, and a better hash where there is one; null if password or account changed since the check. */
async function startSession(
  { db, config, clock, realtime }: Platform,
  account: Account,
  { password, rememberUser }: Credentials,
  { userAgent }: Client,
): Promise<StartedSession | null> {
  const { password_hash, disabled_at: _, failed_logins: __, locked_until: ___, ...row } = account;
  const betterHash = isOutdated(password_hash) ? await hashPassword(password) : null;
  const sessionId = newSessionId();
  const now = clock.now();
  const ended = await inTransaction(db, async (tx) => {
    if (!(await lockUserIfUnchanged(tx, row.id, password_hash))) return null;
    if (betterHash !== null) await setPasswordHash(tx, row.id, betterHash);
    // Room is made first: by a clock that was set back the new one would be the oldest.
    const oldest = await deleteOldestSessions(tx, row.id, maxSessions - 1);
    await insertSession(tx, {
      id: sha256(sessionId),
      user_id: row.id,
      is_remembered: rememberUser ? 1 : 0,
      user_agent: userAgent.slice(0, 256),
      created_at: now,
      last_seen_at: now,
      confirmed_at: now,
    });
    await setLastLogin(tx, row.id, now);
    return oldest;
  });
  if (ended === null) return null;
  if (ended.length > 0) await realtime.accessChanged({ sessionIds: ended });
  return { user: toUser(row), sessionId, maxAgeSeconds: rememberUser ? (config.rememberDays * day) / 1000 : null };
}

/**
 * Whether `password` is this account's; for nobody's account it takes as long and is wrong. Failures in a row make the
 * account pause, wherever they happen; a success forgets them.
 */
export async function isPasswordOf(
  { db, config, clock }: Platform,
  user: { readonly id: number; readonly password_hash: string } | undefined,
  password: string,
): Promise<boolean> {
  const isRight = await verifyPassword(user?.password_hash ?? nobodysHash, password, maxWaitingGuesses);
  if (!user) return false;
  if (!isRight) {
    const pause = accountPause(await addFailedLogin(db, user.id), limitOf(config, throttle.perAccount));
    if (pause > 0) await lockLogins(db, user.id, clock.steady() + pause);
    return false;
  }
  await clearFailedLogins(db, user.id);
  return true;
}

/** 429 at the field where the guess was typed. */
export function throttled(field: "uname" | "password", waitMs: number): Refusal {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const text = fieldText("L-thr", field, { seconds });
  return new Refusal(429, text, { [field]: [text] }, seconds);
}

function limitOf({ rateLimitFactor }: Config, { limit }: { readonly limit: number }): number {
  return Math.max(1, Math.floor(limit * rateLimitFactor));
}

/** The session goes on under a new id, so that one that was copied before is worth nothing. */
export async function rotate(
  { config, clock }: Pick<Platform, "config" | "clock">,
  tx: Db,
  from: string,
  changes: { confirmed_at?: number } = {},
): Promise<{ sessionId: string; maxAgeSeconds: number | null }> {
  const sessionId = newSessionId();
  const session = await rotateSession(tx, from, { id: sha256(sessionId), ...changes });
  if (!session) throw refuse("M401");
  const ends = session.created_at + config.rememberDays * day;
  return {
    sessionId,
    maxAgeSeconds: session.is_remembered ? Math.max(1, Math.floor((ends - clock.now()) / 1000)) : null,
  };
}

/** Ends one session and closes its sockets. */
export async function endSession({ db, realtime, log }: Platform, sessionId: string): Promise<void> {
  const id = sha256(sessionId);
  const user = await deleteSession(db, id);
  if (user === undefined) return;
  await realtime.accessChanged({ sessionIds: [id] });
  log.info("logout", { user });
}
