import { type Db, inTransaction } from "#server/db/connect.ts";
import { normalizeUname } from "#server/features/members/rules.ts";
import type { Context } from "#server/platform/context.ts";
import type { Member } from "#server/platform/http/member.ts";
import { addressKeys, scaleForGroup } from "#server/platform/http/rate-limit.ts";
import { Refusal } from "#server/platform/http/refusal.ts";
import type { RequestSource } from "#server/platform/http/request-log.ts";
import { createRandomToken, sha256 } from "#server/platform/http/session-cookies.ts";
import { maxKnownDevices, pauseMsAfter, remainingPauseMs, scaledLimit, throttle } from "./rules.ts";
import * as store from "./store.ts";

/** Source of a password attempt. Guests share the counter of the account; known devices and live sessions have their own. */
export interface ThrottleSubject {
  /** Key of the window in which attempts are counted. */
  readonly key: string;
  /** Guests only: their address and its networks, each with its own window. */
  readonly addresses?: readonly string[];
  /** Counter of consecutive failures; `null` for a user name that does not exist. */
  readonly counter: store.FailureCounter | null;
  /** End of the counter's pause in monotonic time; 0 without a pause. */
  readonly lockedUntil: number;
}

/** The browser in which a password is entered. */
export interface LoginBrowser {
  readonly ip: string;
  /** Value of its device cookie. */
  readonly device: string | null;
  /** The member who is already logged in. */
  readonly member: Member | null;
}

/** Returns a guest, unless the browser has logged in to this account before or is logged in to it now. */
export async function findThrottleSubject(
  { db, clock }: Pick<Context, "db" | "clock">,
  uname: string,
  user: { readonly id: number; readonly disabled_at: number | null; readonly locked_until: number } | undefined,
  { ip, device, member }: LoginBrowser,
): Promise<ThrottleSubject> {
  const addresses = addressKeys(ip);
  // Hashed: the typed text may be a password, and too long for an index of PostgreSQL.
  const key = `name:${sha256(normalizeUname(uname))}|${addresses[0]}`;
  if (!user) return { key, addresses, counter: null, lockedUntil: 0 };
  const id = device === null ? null : sha256(device);
  const known = id === null ? [] : await store.listKnownDevices(db, id, clock.now());
  const own = known.find(({ user_id }) => user_id === user.id);
  if (own && id !== null) {
    const counter = { table: "known_devices", id, userId: user.id } as const;
    return { key: `device:${id}:${user.id}`, counter, lockedUntil: own.locked_until };
  }
  if (member?.id === user.id) return findSessionSubject(db, member.sessionId);
  const counter = user.disabled_at === null ? ({ table: "users", id: user.id } as const) : null;
  return { key, addresses, counter, lockedUntil: user.locked_until };
}

export async function findSessionSubject(db: Db, id: string): Promise<ThrottleSubject> {
  const counter = { table: "sessions", id } as const;
  return { key: `session:${id}`, counter, lockedUntil: await store.findLockedUntil(db, counter) };
}

type Field = "uname" | "password";

/**
 * Refuses with 429 at `field` while the subject has to wait. All counts are in the database, so that they survive a restart.
 * Attempts are counted before the password is verified, so that concurrent ones gain nothing.
 */
export async function admitAttempt(
  { db, config, clock }: Pick<Context, "db" | "config" | "clock">,
  { key, addresses = [], lockedUntil }: ThrottleSubject,
  field: Field,
): Promise<void> {
  const now = clock.monotonic();
  const { limit, windowMs } = throttle.perAddress;
  for (const [index, address] of addresses.entries())
    await count(`address:${address}`, { limit: scaleForGroup(limit, index), windowMs });
  await count(key, throttle.perSubject);
  checkPause(lockedUntil, now, field);

  async function count(window: string, rate: { limit: number; windowMs: number }): Promise<void> {
    const { attempts, resets_at } = await store.countAttempt(db, window, now, rate.windowMs);
    if (attempts > scaledLimit(rate, config.rateLimitFactor)) throw refuseThrottled(field, resets_at - now);
  }
}

/** Logs and counts a wrong password; too many in a row pause the logins of this subject. */
export async function recordFailure(
  { db, config, clock, log }: Pick<Context, "db" | "config" | "clock" | "log">,
  { counter }: ThrottleSubject,
  event: "login-failed" | "confirmation-failed",
  user: number | undefined,
  { reqId, network }: RequestSource,
): Promise<void> {
  log.info(event, { reqId, network, user });
  if (!counter) return;
  const now = clock.monotonic();
  const limit = scaledLimit(throttle.consecutiveFailures, config.rateLimitFactor);
  const pause = await inTransaction(db, async (tx) => {
    // Guesses that were admitted together with the one that started the pause do not extend it.
    const ms = pauseMsAfter(await store.incrementFailures(tx, counter, now), limit);
    if (ms > 0) await store.updateLockedUntil(tx, counter, now + ms);
    return ms;
  });
  if (pause === 0) return;
  log.warn("login-paused", { reqId, network, user, counter: counter.table, seconds: pause / 1000 });
}

/**
 * Resets the counts of this subject after a correct password. Refuses like admitAttempt() if a pause has started since, so that
 * concurrent guesses gain nothing.
 */
export async function clearThrottle(
  { clock }: Pick<Context, "clock">,
  db: Db,
  { key, counter }: ThrottleSubject,
  field: Field,
): Promise<void> {
  const now = clock.monotonic();
  const lockedUntil = counter ? await store.findLockedUntil(db, counter) : 0;
  checkPause(lockedUntil, now, field);
  await store.deleteAttempts(db, key);
  if (counter) await store.clearFailures(db, counter);
}

/**
 * Makes the browser known for a member and returns its device cookie: the sent one if it is known for any member, since several
 * may share a browser; otherwise a new one, so that a planted value is never used.
 */
export async function rememberDevice(tx: Db, userId: number, sent: string | null, now: number): Promise<string> {
  const isKnown = sent !== null && (await store.listKnownDevices(tx, sha256(sent), now)).length > 0;
  const device = isKnown ? sent : createRandomToken();
  const id = sha256(device);
  await store.upsertKnownDevice(tx, id, userId, now);
  await store.deleteOldestKnownDevices(tx, userId, id, maxKnownDevices - 1);
  return device;
}

function checkPause(lockedUntil: number, now: number, field: Field): void {
  const waitMs = remainingPauseMs(lockedUntil, now);
  if (waitMs > 0) throw refuseThrottled(field, waitMs);
}

function refuseThrottled(field: Field, waitMs: number): Refusal {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new Refusal("tooManyRequests", null, { [field]: [{ text: "tooManyLoginAttempts", seconds }] }, seconds);
}
