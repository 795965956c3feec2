import type { FastifyRequest } from "fastify";

import type * as contract from "#contract/auth.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import type { User } from "#contract/members.ts";
import type { Config } from "#server/config.ts";
import { type Db } from "#server/db/connect.ts";
import { noPassword } from "#server/features/members/rules.ts";
import { maxSessions } from "#server/features/members/session-rules.ts";
import * as sessions from "#server/features/members/session-store.ts";
import * as members from "#server/features/members/store.ts";
import { change } from "#server/platform/change.ts";
import type { Context } from "#server/platform/context.ts";
import { maxUserAgentLength } from "#server/platform/device-name.ts";
import type { HttpServer } from "#server/platform/http/http-server.ts";
import type { Member } from "#server/platform/http/member.ts";
import { Refusal, refuse, refuseField } from "#server/platform/http/refusal.ts";
import { type RequestSource, sourceOf } from "#server/platform/http/request-log.ts";
import { createRandomToken, type RenewedSession, sha256 } from "#server/platform/http/session-cookies.ts";
import { issuerOf } from "#server/platform/oidc/provider.ts";
import type { Say } from "#server/platform/say.ts";
import {
  createDummyHash,
  hashPassword,
  needsRehash,
  rejectWhenFull,
  verifyPassword,
} from "#server/platform/security/passwords.ts";
import { days } from "#server/time.ts";
import * as eventStore from "./event-store.ts";
import * as store from "./login-store.ts";
import * as throttle from "./throttle-actions.ts";
import * as throttleStore from "./throttle-store.ts";

/** Minimum duration of a failed login, so that the duration does not reveal existing usernames. */
export const minFailureMs = 200;
/** Maximum number of logins that wait for verification; further ones are refused with 503. */
const maxWaitingVerifications = 64;

export interface LoginClient extends throttle.LoginBrowser {
  readonly userAgent: string;
  readonly source: RequestSource;
}

export function clientOf({ cookies }: Pick<HttpServer, "cookies">, request: FastifyRequest): LoginClient {
  const { ip, headers, member } = request;
  const device = cookies.readDevice(headers.cookie);
  return { ip, device, member, userAgent: headers["user-agent"] ?? "", source: sourceOf(request) };
}

export interface StartedSession extends RenewedSession {
  readonly user: User;
}

type Credentials = BodyOf<typeof contract.login>;

/** Refuses with 403 if only the OpenID provider may log members in. */
export function checkPasswordLogin({ passwordLogin }: Pick<Config, "passwordLogin">): void {
  if (!passwordLogin) throw refuse("passwordLoginDisabled");
}

type LoginConfig = Pick<Config, "oidcIssuer" | "passwordLogin">;

/**
 * Call this after a change that removes a way to log in, while holding lockUser(), so that two concurrent changes do
 * not remove the last two ways.
 */
export async function canLogIn(tx: Db, userId: number, config: LoginConfig): Promise<boolean> {
  return store.hasWayIn(tx, userId, listAcceptedWays(config));
}

export async function countLogins(db: Db, config: LoginConfig): Promise<{ members: number; lockedOut: number }> {
  return store.countWaysIn(db, listAcceptedWays(config));
}

function listAcceptedWays(config: LoginConfig): store.AcceptedWays {
  return { isPasswordAccepted: config.passwordLogin, issuer: config.oidcIssuer === null ? null : issuerOf(config) };
}

export async function login(context: Context, credentials: Credentials, client: LoginClient): Promise<StartedSession> {
  checkPasswordLogin(context.config);
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
  const throttleSubject = await throttle.findThrottleSubject(context, credentials.uname, user, client);
  await throttle.admitAttempt(context, throttleSubject);
  const hasLogin = user?.disabled_at === null && user.password_hash !== noPassword;
  const account = hasLogin ? user : undefined;
  const isRight = await verifyPassword(
    account?.password_hash ?? createDummyHash(hashCost),
    credentials.password,
    maxWaitingVerifications,
  );
  const started =
    isRight && account ? await startSession(context, account, credentials, client, throttleSubject) : null;
  if (!started) {
    await throttle.recordFailure(context, throttleSubject, user?.id, client.source);
    throw refuseField("uname", "wrongCredentials");
  }
  log.info("login", { user: started.user.id });
  return started;
}

type Account = NonNullable<Awaited<ReturnType<typeof members.findUserByUname>>>;

/** Returns `null` if the password or the account has changed since the password check. */
async function startSession(
  context: Context,
  account: Account,
  { password, rememberUser }: Credentials,
  client: LoginClient,
  throttleSubject: throttle.ThrottleSubject,
): Promise<StartedSession | null> {
  const { hashCost } = context;
  const { password_hash, disabled_at: _, locked_until: __, ...row } = account;
  const betterHash = needsRehash(password_hash, hashCost) ? await hashPassword(password, hashCost) : null;
  const created = await change(context, row.id, async (tx, say) => {
    if (!(await members.lockUserIfUnchanged(tx, row.id, password_hash))) return null;
    if (betterHash !== null) await members.updatePasswordHash(tx, row.id, betterHash);
    await throttle.clearThrottle(context, tx, throttleSubject);
    return createSession(context, tx, say, row.id, rememberUser, client, "login");
  });
  return created && { user: members.toUser(row), ...created };
}

export interface SessionBegin {
  /** Time of the last proof of identity. */
  readonly confirmedAt: number;
  /** Id of the session at the OpenID provider. */
  readonly oidcSid: string | null;
}

/**
 * Ends the oldest sessions beyond `maxSessions`. The caller must have locked the member's row.
 */
export async function createSession(
  { config, clock }: Pick<Context, "config" | "clock">,
  tx: Db,
  say: Say,
  userId: number,
  isRemembered: boolean,
  { userAgent, device, source }: LoginClient,
  kind: "login" | "passkey-login" | "oidc-login",
  { confirmedAt, oidcSid }: SessionBegin = { confirmedAt: clock.now(), oidcSid: null },
) {
  const sessionId = createRandomToken();
  const now = clock.now();
  // Deletes before inserting: if the clock was set back, the new session would be the oldest and be deleted.
  const ended = await sessions.deleteOldestSessions(tx, userId, maxSessions - 1);
  if (ended.length > 0) await say.access({ userId, sessionIds: ended });
  await sessions.insertSession(tx, {
    id: sha256(sessionId),
    user_id: userId,
    is_remembered: isRemembered ? 1 : 0,
    user_agent: userAgent.slice(0, maxUserAgentLength),
    created_at: now,
    last_seen_at: now,
    confirmed_at: confirmedAt,
    passkey_at: kind === "passkey-login" ? now : null,
    is_from_oidc: kind === "oidc-login" ? 1 : 0,
    oidc_sid: oidcSid,
  });
  await members.updateLastLogin(tx, userId, now);
  await eventStore.createAccountEvent(tx, { user_id: userId, at: now, kind, device: source.device });
  return {
    sessionId,
    maxAgeSeconds: isRemembered ? days(config.rememberDays) / 1000 : null,
    deviceToken: await throttle.rememberDevice(tx, userId, device, now),
  };
}

/** Returns the hash for lockUserIfUnchanged(). Counts failed attempts per session. */
export async function verifyCurrentPassword(
  context: Context,
  member: Member,
  password: string,
  source: RequestSource,
): Promise<string> {
  const { db } = context;
  const throttleSubject = await throttle.findSessionSubject(db, member.sessionId);
  await throttle.admitAttempt(context, throttleSubject);
  const user = await members.findUserById(db, member.id);
  if (!user) throw refuse("notLoggedIn");
  if (!(await verifyPassword(user.password_hash, password, maxWaitingVerifications))) {
    await throttle.recordFailure(context, throttleSubject, member.id, source);
    throw refuseField("password", "wrongPassword");
  }
  await throttle.clearThrottle(context, db, throttleSubject);
  return user.password_hash;
}

/** Gives a session a new id, so that a stolen id becomes invalid. Its sockets remain open. */
export async function renewSession(
  { config, clock, realtime }: Pick<Context, "config" | "clock" | "realtime">,
  tx: Db,
  from: string,
  changes: { confirmed_at?: number; passkey_at?: number } = {},
): Promise<RenewedSession> {
  const sessionId = createRandomToken();
  const session = await sessions.rotateSession(tx, from, { id: sha256(sessionId), ...changes });
  if (!session) throw refuse("notLoggedIn");
  await realtime.sessionRotated(tx, from, sha256(sessionId));
  const ends = session.created_at + days(config.rememberDays);
  return {
    sessionId,
    maxAgeSeconds: session.is_remembered ? Math.max(1, Math.floor((ends - clock.now()) / 1000)) : null,
  };
}

export async function endSession(context: Pick<Context, "db" | "log" | "say">, sessionId: string): Promise<void> {
  const { log } = context;
  const id = sha256(sessionId);
  const user = await change(context, null, async (tx, say) => {
    const userId = await sessions.deleteSession(tx, id);
    if (userId !== undefined) await say.access({ userId, sessionIds: [id] });
    return userId;
  });
  if (user !== undefined) log.info("logout", { user });
}

export interface KeptSession {
  /** SHA-256 of the session id, as stored in `sessions`. */
  readonly sessionId: string;
  /** Value of the device cookie. */
  readonly device: string | null;
}

/** Ends all sessions and forgets all devices except those of `keep`. Returns the ids of the ended sessions. */
export async function endAllSessions(tx: Db, userId: number, keep: KeptSession | null): Promise<string[]> {
  const ended = await sessions.deleteSessions(tx, userId, keep && keep.sessionId);
  await throttleStore.deleteKnownDevices(tx, userId, keep?.device ? sha256(keep.device) : null);
  return ended;
}
