import { type Db, inTransaction } from "#server/db/connect.ts";
import { normalizeUname } from "#server/features/members/rules.ts";
import type { Context } from "#server/platform/context.ts";
import type { Member } from "#server/platform/http/member.ts";
import type { RequestSource } from "#server/platform/http/request-log.ts";
import { createRandomToken, sha256 } from "#server/platform/http/session-cookies.ts";
import { addressKeys, checkCount, scaleLimit, toCount } from "#server/platform/limits/limits.ts";
import * as limitsStore from "#server/platform/limits/store.ts";
import { maxKnownDevices, pauseMsAfter, throttle } from "./throttle-rules.ts";
import * as store from "./throttle-store.ts";

/**
 * Source of a password attempt. All guests share the account's failure counter; each known device and session has its
 * own.
 */
export interface ThrottleSubject {
  /** Key under which this source's attempts are counted. */
  readonly key: string;
  /** Keys of a guest's IP address and its networks. */
  readonly addresses?: readonly string[];
  /** `null` for a guest if the user name is unknown or the account is disabled. */
  readonly counter: store.FailureCounter | null;
  /** Monotonic time; 0 without a pause. */
  readonly lockedUntil: number;
  /** Form field that shows the refusal. */
  readonly field: "uname" | "password";
}

export interface LoginBrowser {
  readonly ip: string;
  /** Value of the device cookie. */
  readonly device: string | null;
  /** Member logged in to the browser already; `null` for a guest. */
  readonly member: Member | null;
}

/** Prefers a known device, then a session of the account, and otherwise returns a guest. */
export async function findThrottleSubject(
  { db, clock }: Pick<Context, "db" | "clock">,
  uname: string,
  user: { readonly id: number; readonly disabled_at: number | null; readonly locked_until: number } | undefined,
  { ip, device, member }: LoginBrowser,
): Promise<ThrottleSubject> {
  const networks = addressKeys(ip);
  const addresses = networks.map((network) => `address:${network}`);
  // Hashes the name, because the typed text may be a password or too long for an index of PostgreSQL.
  const key = `name:${sha256(normalizeUname(uname))}|${networks[0]}`;
  const field = "uname";
  if (!user) return { key, addresses, counter: null, lockedUntil: 0, field };
  const id = device === null ? null : sha256(device);
  const known = id === null ? [] : await store.listKnownDevices(db, id, clock.now());
  const own = known.find(({ user_id }) => user_id === user.id);
  if (own && id !== null) {
    const counter = { table: "known_devices", id, userId: user.id } as const;
    return { key: `device:${id}:${user.id}`, counter, lockedUntil: own.locked_until, field };
  }
  if (member?.id === user.id) return findSessionSubject(db, member.sessionId, field);
  const counter = user.disabled_at === null ? ({ table: "users", id: user.id } as const) : null;
  return { key, addresses, counter, lockedUntil: user.locked_until, field };
}

export async function findSessionSubject(
  db: Db,
  id: string,
  field: ThrottleSubject["field"] = "password",
): Promise<ThrottleSubject> {
  const counter = { table: "sessions", id } as const;
  return { key: `session:${id}`, counter, lockedUntil: await store.findLockedUntil(db, counter), field };
}

const refused = "tooManyLoginAttempts";

/** Refuses with 429 if the source has to wait. Counts before verifying, so that concurrent guesses gain nothing. */
export async function admitAttempt(
  context: Pick<Context, "db" | "config" | "clock">,
  { key, addresses, lockedUntil, field }: ThrottleSubject,
): Promise<void> {
  const now = context.clock.monotonic();
  if (addresses) checkCount(await limitsStore.countAttempt(context, throttle.perAddress, addresses), [field, refused]);
  checkCount(await limitsStore.countAttempt(context, throttle.perSubject, [key]), [field, refused]);
  checkPause(field, lockedUntil, now);
}

/** Counts a wrong password, and pauses the source after too many in a row. */
export async function recordFailure(
  { db, config, clock, log }: Pick<Context, "db" | "config" | "clock" | "log">,
  { counter, field }: ThrottleSubject,
  user: number | undefined,
  { reqId, network }: RequestSource,
): Promise<void> {
  log.info(field === "uname" ? "login-failed" : "confirmation-failed", { reqId, network, user });
  if (!counter) return;
  const now = clock.monotonic();
  const limit = scaleLimit(throttle.consecutiveFailures, config.rateLimitFactor);
  const pause = await inTransaction(db, async (tx) => {
    // incrementFailures() returns 0 for a guess that was in flight when the pause began, so that the pause is not
    // extended.
    const ms = pauseMsAfter(await store.incrementFailures(tx, counter, now), limit);
    if (ms > 0) await store.updateLockedUntil(tx, counter, now + ms);
    return ms;
  });
  if (pause === 0) return;
  log.warn("login-paused", { reqId, network, user, counter: counter.table, seconds: pause / 1000 });
}

/**
 * Resets the counts after a correct password. Refuses like admitAttempt() if a pause began during the verification, so
 * that concurrent guesses gain nothing.
 */
export async function clearThrottle(
  { clock }: Pick<Context, "clock">,
  db: Db,
  { key, counter, field }: ThrottleSubject,
): Promise<void> {
  const now = clock.monotonic();
  checkPause(field, counter ? await store.findLockedUntil(db, counter) : 0, now);
  await limitsStore.deleteAttempts(db, key);
  if (counter) await store.clearFailures(db, counter);
}

/**
 * Reuses a cookie known for any member, because members may share a browser; replaces an unknown one, which an attacker
 * may have planted.
 */
export async function rememberDevice(tx: Db, userId: number, sent: string | null, now: number): Promise<string> {
  const isKnown = sent !== null && (await store.listKnownDevices(tx, sha256(sent), now)).length > 0;
  const device = isKnown ? sent : createRandomToken();
  const id = sha256(device);
  await store.upsertKnownDevice(tx, id, userId, now);
  await store.deleteOldestKnownDevices(tx, userId, id, maxKnownDevices - 1);
  return device;
}

function checkPause(field: ThrottleSubject["field"], lockedUntil: number, now: number): void {
  const pause = { calls: lockedUntil > now ? 1 : 0, endsAt: lockedUntil };
  checkCount(toCount(pause, 0, now), [field, refused]);
}
