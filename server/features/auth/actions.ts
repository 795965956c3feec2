import type * as contract from "#contract/auth.ts";
import type { BodyOf, Permission } from "#contract/endpoint.ts";
import type { User } from "#contract/members.ts";
import type { Config } from "#server/config.ts";
import { type Db, inTransaction, tryWrite } from "#server/db/connect.ts";
import { createAccountEvent } from "#server/features/account-events/store.ts";
import * as throttle from "#server/features/login-throttle/actions.ts";
import { deleteKnownDevices } from "#server/features/login-throttle/store.ts";
import * as members from "#server/features/members/store.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Context } from "#server/platform/context.ts";
import { maxUserAgentLength } from "#server/platform/device-name.ts";
import type { Member } from "#server/platform/http/member.ts";
import { Refusal, refuse, refuseField } from "#server/platform/http/refusal.ts";
import type { RequestSource } from "#server/platform/http/request-log.ts";
import {
  createRandomToken,
  hashSessionId,
  type RenewedSession,
  sha256,
} from "#server/platform/http/session-cookies.ts";
import {
  createDummyHash,
  hashPassword,
  needsRehash,
  rejectWhenFull,
  verifyPassword,
} from "#server/platform/passwords.ts";
import type { Access } from "#server/platform/realtime/options.ts";
import { days, seconds } from "#server/time.ts";
import { maxSessions, sessionCutoffs } from "./rules.ts";
import * as store from "./store.ts";

/** `last_seen_at` is written at most this often; idle times are exact to it. */
const touchIntervalMs = seconds(30);
/** A failed login never takes less time, so that its duration reveals nothing. */
export const minFailureMs = 200;
/** How many logins may wait for their password to be verified; the next one is refused with 503. */
const maxWaitingVerifications = 64;

/** Finds the member of a session id, with the permissions of this moment. */
export function createFindMember(db: Db, config: Config, clock: Clock): (sessionId: string) => Promise<Member | null> {
  return async (sessionId) => {
    const now = clock.now();
    const id = hashSessionId(sessionId);
    const row = await store.findSession(db, id, sessionCutoffs(now, config.rememberDays));
    if (!row) return null;
    // A time that is ahead is corrected by the next use, too.
    if (Math.abs(now - row.last_seen_at) > touchIntervalMs) await tryWrite(store.touchSession(db, id, now));
    return { ...members.toUser(row), sessionId: id, confirmedAt: row.confirmed_at, passkeyAt: row.passkey_at };
  };
}

/** Finds the members of sockets, by the stored ids of their sessions. */
export function createFindAccess(db: Db, config: Config, clock: Clock) {
  return async (ids: readonly string[]): Promise<Map<string, Access>> => {
    if (ids.length === 0) return new Map();
    const rows = await store.findSessions(db, ids, sessionCutoffs(clock.now(), config.rememberDays));
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

/** The browser that logs in. */
export interface LoginClient extends throttle.LoginBrowser {
  readonly userAgent: string;
  readonly source: RequestSource;
}

export interface StartedSession extends RenewedSession {
  readonly user: User;
  /** The value for the device cookie. */
  readonly deviceToken: string;
}

type Credentials = BodyOf<typeof contract.login>;

export async function login(context: Context, credentials: Credentials, client: LoginClient): Promise<StartedSession> {
  const earliest = performance.now() + minFailureMs;
  return attemptLogin(context, credentials, client).catch(async (error: unknown) => {
    const { reqId, network } = client.source;
    if (error instanceof Refusal && error.status === 429) context.log.info("login-throttled", { reqId, network });
    await context.clock.sleep(Math.max(0, earliest - performance.now()));
    throw error;
  });
}

async function attemptLogin(context: Context, credentials: Credentials, client: LoginClient): Promise<StartedSession> {
  const { db, log, hashCost } = context;
  rejectWhenFull(maxWaitingVerifications);
  const user = await members.findUserByUname(db, credentials.uname);
  const guesser = await throttle.findThrottleSubject(context, credentials.uname, user, client);
  await throttle.admitAttempt(context, guesser, "uname");
  const account = user?.disabled_at === null ? user : undefined;
  const isRight = await verifyPassword(
    account?.password_hash ?? createDummyHash(hashCost),
    credentials.password,
    maxWaitingVerifications,
  );
  const started = isRight && account ? await startSession(context, account, credentials, client, guesser) : null;
  if (!started) {
    await throttle.recordFailure(context, guesser, "login-failed", user?.id, client.source);
    throw refuseField("uname", "L-fail");
  }
  log.info("login", { user: started.user.id });
  return started;
}

type Account = NonNullable<Awaited<ReturnType<typeof members.findUserByUname>>>;

/**
 * Starts a session, and writes a new hash of the password where its parameters are too weak; null if password or account changed
 * since the check.
 */
async function startSession(
  context: Context,
  account: Account,
  { password, rememberUser }: Credentials,
  client: LoginClient,
  guesser: throttle.ThrottleSubject,
): Promise<StartedSession | null> {
  const { db, realtime, hashCost } = context;
  const { password_hash, disabled_at: _, locked_until: __, ...row } = account;
  const betterHash = needsRehash(password_hash, hashCost) ? await hashPassword(password, hashCost) : null;
  const created = await inTransaction(db, async (tx) => {
    if (!(await members.lockUserIfUnchanged(tx, row.id, password_hash))) return null;
    if (betterHash !== null) await members.updatePasswordHash(tx, row.id, betterHash);
    await throttle.clearThrottle(context, tx, guesser, "uname");
    return createSession(context, tx, row.id, rememberUser, client, "login");
  });
  if (!created) return null;
  const { ended, ...session } = created;
  if (ended.length > 0) await realtime.accessChanged({ userId: row.id, sessionIds: ended });
  return { user: members.toUser(row), ...session };
}

/** Writes a session; the caller has locked the member's row. `ended`: older sessions that were too many. */
export async function createSession(
  { config, clock }: Context,
  tx: Db,
  userId: number,
  isRemembered: boolean,
  { userAgent, device, source }: LoginClient,
  kind: "login" | "passkey-login",
) {
  const sessionId = createRandomToken();
  const now = clock.now();
  // Deleted first: with a clock that was set back the new session would be the oldest.
  const ended = await store.deleteOldestSessions(tx, userId, maxSessions - 1);
  await store.insertSession(tx, {
    id: sha256(sessionId),
    user_id: userId,
    is_remembered: isRemembered ? 1 : 0,
    user_agent: userAgent.slice(0, maxUserAgentLength),
    created_at: now,
    last_seen_at: now,
    confirmed_at: now,
    passkey_at: kind === "passkey-login" ? now : null,
  });
  await members.updateLastLogin(tx, userId, now);
  await createAccountEvent(tx, { user_id: userId, at: now, kind, device: source.device });
  return {
    ended,
    sessionId,
    maxAgeSeconds: isRemembered ? days(config.rememberDays) / 1000 : null,
    deviceToken: await throttle.rememberDevice(tx, userId, device, now),
  };
}

/**
 * Verifies the password that a member enters again and returns its hash, for lockUserIfUnchanged(). Failures are counted
 * for this session only.
 */
export async function verifyCurrentPassword(
  context: Context,
  member: Member,
  password: string,
  source: RequestSource,
): Promise<string> {
  const { db } = context;
  const guesser = await throttle.findSessionSubject(db, member.sessionId);
  await throttle.admitAttempt(context, guesser, "password");
  const user = await members.findUserById(db, member.id);
  if (!user) throw refuse("M401");
  if (!(await verifyPassword(user.password_hash, password, maxWaitingVerifications))) {
    await throttle.recordFailure(context, guesser, "confirmation-failed", member.id, source);
    throw refuseField("password", "L-password");
  }
  await throttle.clearThrottle(context, db, guesser, "password");
  return user.password_hash;
}

/**
 * Locks the member's row like lockUser() and returns it as its member sees it; 401 where the session of this request has ended
 * meanwhile, e.g. with a new password that was set elsewhere.
 */
export async function lockSession(tx: Db, { id, sessionId }: Member): Promise<User> {
  const user = await members.lockUser(tx, id);
  if (!user || !(await store.hasSession(tx, sessionId))) throw refuse("M401");
  return members.toUser(user);
}

/** Gives a session a new id, so that a stolen one becomes invalid. */
export async function renewSession(
  { config, clock }: Pick<Context, "config" | "clock">,
  tx: Db,
  from: string,
  changes: { confirmed_at?: number; passkey_at?: number } = {},
): Promise<RenewedSession> {
  const sessionId = createRandomToken();
  const session = await store.rotateSession(tx, from, { id: sha256(sessionId), ...changes });
  if (!session) throw refuse("M401");
  const ends = session.created_at + days(config.rememberDays);
  return {
    sessionId,
    maxAgeSeconds: session.is_remembered ? Math.max(1, Math.floor((ends - clock.now()) / 1000)) : null,
  };
}

/** Ends one session and closes its sockets. */
export async function endSession({ db, realtime, log }: Context, sessionId: string): Promise<void> {
  const id = sha256(sessionId);
  const user = await store.deleteSession(db, id);
  if (user === undefined) return;
  await realtime.accessChanged({ userId: user, sessionIds: [id] });
  log.info("logout", { user });
}

/** The session that stays when a member's other sessions end. */
export interface KeptSession {
  /** As stored. */
  readonly sessionId: string;
  /** The value of its device cookie. */
  readonly device: string | null;
}

/**
 * Ends a member's sessions, all or all but `keep`, and forgets the known devices of the others. Returns the ids of the
 * sessions that ended.
 */
export async function endAllSessions(tx: Db, userId: number, keep: KeptSession | null): Promise<string[]> {
  const ended = await store.deleteSessions(tx, userId, keep && keep.sessionId);
  await deleteKnownDevices(tx, userId, keep?.device ? sha256(keep.device) : null);
  return ended;
}
