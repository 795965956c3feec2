import type { BodyOf } from "#contract/endpoint.ts";
import type * as contract from "#contract/notifications.ts";
import type { Config } from "#server/config.ts";
import { type Db, inTransaction } from "#server/db/connect.ts";
import { checkOutsideTransaction } from "#server/db/transaction-scope.ts";
import { sessionCutoffs } from "#server/features/auth/rules.ts";
import { findSession } from "#server/features/auth/store.ts";
import { createBatcher } from "#server/platform/batcher.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Context } from "#server/platform/context.ts";
import { describeDevice } from "#server/platform/device-name.ts";
import { hasPermissions, type Member } from "#server/platform/http/member.ts";
import { refuse, refuseField } from "#server/platform/http/refusal.ts";
import { sha256 } from "#server/platform/http/session-cookies.ts";
import { localTime } from "#server/platform/local-day.ts";
import { errorFields, type Log } from "#server/platform/log.ts";
import { arePushKeysValid, isPushEndpoint } from "#server/platform/push/endpoint.ts";
import type { PushJob, PushOptions, PushOutcome } from "#server/platform/push/push.ts";
import { hasExpired, toIso } from "#server/time.ts";
import * as rules from "./rules.ts";
import * as store from "./store.ts";

/** Subscribes this browser until this session ends, and ends the subscription of a member who used it before. */
export async function subscribe(
  { db, config, clock }: Context,
  member: Member,
  { pushSubscription: { endpoint, keys } }: BodyOf<typeof contract.subscribeToPush>,
): Promise<void> {
  if (!isPushEndpoint(endpoint, config) || !arePushKeysValid(keys)) throw refuseField("pushSubscription", "V-in");
  await inTransaction(db, async (tx) => {
    if (!(await store.lockSession(tx, member.sessionId))) throw refuse("M401");
    await store.deleteRefusal(tx, member.sessionId);
    await store.deleteForeignEndpoint(tx, endpoint, member.id);
    await store.upsertSubscription(tx, member.sessionId, { endpoint, ...keys }, clock.now());
    await store.deleteOldestSubscriptions(tx, member.id, rules.maxSubscriptions);
  });
}

export async function listPushDevices({ db }: Context, member: Member): Promise<contract.PushDevice[]> {
  const subscriptions = await store.listSubscriptions(db, member.id);
  return subscriptions.map(({ id, session_id, user_agent, created_at, delivered_at }) => ({
    id,
    device: describeDevice(user_agent),
    since: toIso(created_at),
    last_success_at: delivered_at === null ? null : toIso(delivered_at),
    current: session_id === member.sessionId,
  }));
}

/** Ends the pushes to a device, until its member subscribes there again or logs in again. */
export async function removePushDevice({ db }: Context, member: Member, id: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    const sessionId = await store.deleteOwnSubscription(tx, member.id, id);
    if (sessionId === undefined) throw refuse("M404");
    await store.createRefusal(tx, sessionId);
  });
}

/** Something that other members may want to be notified of. */
export interface NotificationInput {
  readonly kind: contract.NotificationKind;
  /** The id of what it is about, for kinds with a page for each. */
  readonly about?: string;
  /** The member who did it and is not notified; null if nobody did. */
  readonly senderId: number | null;
  readonly body: string;
  /** The text for more than one since the last push, from the sender's count and how many they are. */
  readonly several?: { readonly count: number; readonly body: (more: number) => string };
}

interface TimedNotification extends NotificationInput {
  /** Epoch ms. */
  readonly at: number;
}

/** What happens at the same time is saved in one transaction, or a write per beer would slow down the bookings. */
const batchLimits = { maxBatch: 200, maxWaiting: 1000 };
const batchers = new WeakMap<Context, (notification: TimedNotification) => Promise<void>>();

/**
 * Pushes to the other members who want it, at most every half hour for the same sender and kind. Returns at once and does not
 * fail after a commit; inside a transaction it throws.
 */
export function notifyMembers(context: Context, notification: NotificationInput): void {
  checkOutsideTransaction("notifyMembers");
  let enqueue = batchers.get(context);
  if (!enqueue) {
    enqueue = createBatcher({ ...batchLimits, commit: (batch) => pushToOthers(context, batch) });
    batchers.set(context, enqueue);
  }
  enqueue({ ...notification, at: context.clock.now() }).catch((error: unknown) =>
    context.log.warn("notify-failed", errorFields(error)),
  );
}

async function pushToOthers(context: Context, batch: readonly TimedNotification[]): Promise<void[]> {
  const { db, config, group, push } = context;
  const throttles = await store.findThrottles(db, batch.map(throttleKey));
  const due = new Map<string, TimedNotification>();
  for (const notification of batch) {
    const key = throttleKey(notification);
    const last = throttles.get(key);
    const { at } = notification;
    const isDue = !last || hasExpired(last.pushed_at + rules.throttleInterval, at, rules.throttleInterval);
    // Of several by the same sender the first is pushed; the throttle that it starts holds back the others.
    if (isDue && !due.has(key)) due.set(key, notification);
  }
  const subscriptions = due.size === 0 ? [] : await store.listAllSubscriptions(db);
  if (subscriptions.length === 0) return [];

  const wanted = [...due].map(([key, notification]) => {
    const time = localTime(notification.at, config.timeZone);
    const recipients = subscriptions.filter(
      ({ userId, settings }) => userId !== notification.senderId && rules.isWanted(settings, notification.kind, time),
    );
    return { key, notification, time, recipients, last: throttles.get(key) };
  });
  const heard = wanted.filter(({ recipients }) => recipients.length > 0);
  if (heard.length === 0) return [];

  const started = await inTransaction(db, async (tx) => {
    const mine: typeof heard = [];
    for (const one of heard) {
      const next = { pushed_at: one.notification.at, count: one.notification.several?.count ?? 0 };
      // False where another instance was faster and pushes it.
      if (await store.startThrottle(tx, one.key, one.last, next)) mine.push(one);
    }
    return mine;
  });

  const { group_name } = await group.settings();
  for (const { key, notification, time, recipients, last } of started) {
    const { kind, about } = notification;
    const { tag: kindTag, url, suffix, permission } = rules.kinds[kind];
    const title = `${group_name} ${suffix}`;
    const tag = about === undefined ? kindTag : `${kindTag} ${about}`;
    const payload = encodePayload({ title, body: formatBody(notification, last), tag, url: url(about ?? "") });
    push.send(
      recipients.map(({ id, settings }) => ({
        subscriptionId: id,
        permission,
        topic: toTopic(key),
        expiresAt: rules.pushExpiry(settings.quiet_hours, notification.at, time),
        payload,
      })),
    );
  }
  return [];
}

/** A reminder for one member. */
interface Reminder {
  readonly kind: contract.NotificationKind;
  /** What it is about; two reminders of the same replace each other. */
  readonly about: string;
  readonly body: string;
  /** Called when there is a device that wants it now; false if somebody else has sent it. */
  readonly claim: () => Promise<boolean>;
}

/** Pushes to a member's devices, as far as they want it now. */
export async function notifyMember(context: Context, userId: number, reminder: Reminder): Promise<void> {
  const { db, clock, config, group, push } = context;
  const at = clock.now();
  const time = localTime(at, config.timeZone);
  const recipients = (await store.listAllSubscriptions(db)).filter(
    (one) => one.userId === userId && rules.isWanted(one.settings, reminder.kind, time),
  );
  if (recipients.length === 0 || !(await reminder.claim())) return;
  const { tag: kindTag, url, suffix, permission } = rules.kinds[reminder.kind];
  const tag = `${kindTag} ${reminder.about}`;
  const payload = encodePayload({
    title: `${(await group.settings()).group_name} ${suffix}`,
    body: reminder.body,
    tag,
    url: url(reminder.about),
  });
  push.send(
    recipients.map(({ id, settings }) => ({
      subscriptionId: id,
      permission,
      topic: toTopic(`${tag} ${userId}`),
      expiresAt: rules.pushExpiry(settings.quiet_hours, at, time),
      payload,
    })),
  );
}

/** Without a sender each text has a throttle of its own: a game server that keeps crashing must not hide another one. */
function throttleKey({ kind, senderId, body }: NotificationInput): string {
  return `${kind} ${senderId ?? sha256(body)}`;
}

function formatBody(
  { body, several, at }: TimedNotification,
  last: { pushed_at: number; count: number } | undefined,
): string {
  if (!several || !last || hasExpired(last.pushed_at + rules.countingWindow, at, rules.countingWindow)) return body;
  const more = several.count - last.count;
  return more > 1 ? several.body(more) : body;
}

/** Pushes to every browser of the member at once and returns the outcomes. */
export async function testPush(context: Context, member: Member): Promise<contract.PushTest[]> {
  const { db, clock, group, log, push } = context;
  const title = `${(await group.settings()).group_name}: Test`;
  const body = "Prost! So sieht eine Benachrichtigung aus.";
  const message = {
    payload: encodePayload({ title, body, tag: "test", url: "/notifications", silent: false }),
    topic: toTopic(`test ${member.id}`),
    expiresAt: clock.now() + rules.pushLifetime,
  };
  const recordDelivery = createRecordDelivery(db, clock, log);
  const subscriptions = await store.listSubscriptions(db, member.id);
  return Promise.all(
    subscriptions.map(async ({ id, user_agent, ...target }) => {
      const outcome = await push.deliver(target, message);
      await recordDelivery({ subscriptionId: id }, outcome.kind);
      return { device: describeDevice(user_agent), result: toResult(outcome) };
    }),
  );
}

function toResult({ kind }: PushOutcome): contract.PushTest["result"] {
  if (kind === "delivered") return kind;
  return kind === "later" ? "unreachable" : "refused";
}

function encodePayload({ title, body, ...rest }: rules.QueuedPayload): string {
  return JSON.stringify({ title: title.slice(0, 100), body: body.slice(0, 300), ...rest });
}

/** The same for pushes that may replace each other; a hash, so that push services cannot read it. */
function toTopic(subject: string): string {
  return sha256(subject).slice(0, 32);
}

/**
 * Prepares a push when it is sent, which may be an hour later, with the sound that its member wants by then. None once the session has
 * ended, or the member is disabled, lost the permission or no longer wants it, the door is not empty any more, or the party is over or
 * has been joined.
 */
export function createPrepareDelivery(db: Db, config: Config, clock: Clock): PushOptions["prepareDelivery"] {
  return async ({ subscriptionId, permission, payload }) => {
    const subscription = await store.findSubscription(db, subscriptionId);
    if (!subscription) return undefined;
    const { sessionId, target, settings } = subscription;
    const now = clock.now();
    const session = await findSession(db, sessionId, sessionCutoffs(now, config.rememberDays));
    if (!session) return undefined;
    const message = JSON.parse(payload) as rules.QueuedPayload;
    const { kind, about } = rules.kindOf(message);
    if (kind === "calendar" && !(await store.hasEmptyDoor(db, sessionId, about))) return undefined;
    if (kind === "party" && !(await store.isPartyNews(db, sessionId, Number(about), now))) return undefined;
    if (kind && !rules.isWanted(settings, kind, localTime(now, config.timeZone))) return undefined;
    const holder = { permissions: JSON.parse(session.permissions) };
    if (permission !== null && !hasPermissions(holder, [permission])) return undefined;
    return { target, payload: JSON.stringify({ ...message, silent: !settings.sound }) };
  };
}

/** Saves the outcome of a push, and deletes subscriptions that are gone. */
export function createRecordDelivery(db: Db, clock: Clock, log: Log) {
  return async ({ subscriptionId }: Pick<PushJob, "subscriptionId">, outcome: PushOutcome["kind"]): Promise<void> => {
    const now = clock.now();
    if (outcome === "delivered") return store.updateDelivered(db, subscriptionId, now);
    const isOver =
      outcome === "gone" || outcome === "unauthorised" || (await hasFailedPermanently(db, subscriptionId, now));
    if (!isOver) return;
    log.info("push-subscription-removed", { outcome });
    await store.deleteSubscription(db, subscriptionId);
  };
}

async function hasFailedPermanently(db: Db, subscriptionId: number, now: number): Promise<boolean> {
  const failed = await store.updateFailed(db, subscriptionId, now);
  return (
    failed !== undefined &&
    failed.failures >= rules.failureLimit.failures &&
    now - failed.failing_since! >= rules.failureLimit.ms
  );
}

/** Stops sending and saves what is left for the next start. Never fails, so that nothing delays a stop. */
export async function keepPendingPushes({ db, log, push }: Pick<Context, "db" | "log" | "push">): Promise<void> {
  const left = await push.close();
  if (left.length === 0) return;
  await inTransaction(db, (tx) => store.createKeptPushes(tx, left)).catch((error: unknown) =>
    log.warn("pushes-lost", { pushes: left.length, ...errorFields(error) }),
  );
}
