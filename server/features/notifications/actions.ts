import type { BodyOf } from "#contract/endpoint.ts";
import type * as contract from "#contract/notifications.ts";
import type { Config } from "#server/config.ts";
import { type Db, inTransaction } from "#server/db/connect.ts";
import { checkOutsideTransaction } from "#server/db/transaction-scope.ts";
import { sessionCutoffs } from "#server/features/auth/rules.ts";
import { findSession } from "#server/features/auth/store.ts";
import { parsePermissions } from "#server/features/members/store.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Context } from "#server/platform/context.ts";
import { describeDevice } from "#server/platform/device-name.ts";
import { hasPermissions, type Member } from "#server/platform/http/member.ts";
import { refuse, refuseField } from "#server/platform/http/refusal.ts";
import { sha256 } from "#server/platform/http/session-cookies.ts";
import { createBatcher } from "#server/platform/jobs/batcher.ts";
import { localTime } from "#server/platform/local-day.ts";
import { errorFields, type Log } from "#server/platform/log.ts";
import type { Notification } from "#server/platform/notification.ts";
import { arePushKeysValid, isPushEndpoint } from "#server/platform/push/endpoint.ts";
import type { PushJob } from "#server/platform/push/job.ts";
import type { PushOptions, PushOutcome } from "#server/platform/push/push.ts";
import { toIso } from "#server/time.ts";
import * as rules from "./rules.ts";
import * as store from "./store.ts";

/**
 * Subscribes this browser to pushes until its session ends. Replaces another member's subscription
 * in the same browser.
 */
export async function subscribe(
  { db, config, clock }: Pick<Context, "db" | "config" | "clock">,
  member: Member,
  { pushSubscription: { endpoint, keys } }: BodyOf<typeof contract.subscribeToPush>,
): Promise<void> {
  if (!isPushEndpoint(endpoint, config) || !arePushKeysValid(keys)) throw refuseField("pushSubscription", "invalid");
  await inTransaction(db, async (tx) => {
    if (!(await store.lockSession(tx, member.sessionId))) throw refuse("notLoggedIn");
    await store.deleteRefusal(tx, member.sessionId);
    await store.deleteForeignEndpoint(tx, endpoint, member.id);
    await store.upsertSubscription(tx, member.sessionId, { endpoint, ...keys }, clock.now());
    await store.deleteOldestSubscriptions(tx, member.id, rules.maxSubscriptions);
  });
}

export async function listPushDevices({ db }: Pick<Context, "db">, member: Member): Promise<contract.PushDevice[]> {
  const subscriptions = await store.listSubscriptions(db, member.id);
  return subscriptions.map(({ id, session_id, user_agent, created_at, delivered_at }) => ({
    id,
    device: describeDevice(user_agent),
    since: toIso(created_at),
    last_success_at: delivered_at === null ? null : toIso(delivered_at),
    current: session_id === member.sessionId,
  }));
}

/** Stops pushes to a device until the member subscribes on the device again or logs in again. */
export async function removePushDevice({ db }: Pick<Context, "db">, member: Member, id: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    const sessionId = await store.deleteOwnSubscription(tx, member.id, id);
    if (sessionId === undefined) throw refuse("notFound");
    await store.createRefusal(tx, sessionId);
  });
}

interface TimedNotification extends Notification {
  /** Time of the notification in epoch milliseconds. */
  readonly at: number;
}

/**
 * Limits of the queue of notifications. Up to `maxBatch` notifications share one transaction,
 * because a write per beer or push would slow down bookings.
 */
const batchLimits = { maxBatch: 200, maxWaiting: 1000 };

type PushContext = Pick<Context, "db" | "config" | "clock" | "log" | "group" | "push">;

/** Creates `notifyMembers` of the context, which queues a notification for all other members. */
export function createNotifyMembers(context: PushContext): Context["notifyMembers"] {
  const { clock, log } = context;
  const enqueue = createBatcher({
    ...batchLimits,
    commit: (batch: readonly TimedNotification[]) => pushToOthers(context, batch),
  });
  return (notification) => {
    checkOutsideTransaction("notifyMembers");
    enqueue({ ...notification, at: clock.now() }).catch((error: unknown) =>
      log.warn("notify-failed", errorFields(error)),
    );
  };
}

async function pushToOthers(context: PushContext, batch: readonly TimedNotification[]): Promise<void[]> {
  const { db, config, group, push } = context;
  const throttles = await store.findThrottles(db, batch.map(throttleKey));
  const due = new Map<string, TimedNotification>();
  for (const notification of batch) {
    const key = throttleKey(notification);
    const last = throttles.get(key);
    const { at } = notification;
    const isDue = !last || last.pushed_at <= at - rules.throttleInterval;
    // Pushes only the first notification of each kind and sender in a batch; that push starts the
    // throttle, which holds back the others.
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

  const { group_name } = await group.settings();
  await inTransaction(db, async (tx) => {
    for (const { key, notification, time, recipients, last } of heard) {
      const next = { pushed_at: notification.at, count: notification.several?.count ?? 0 };
      // Skips a push that another instance sends, because that instance has started the throttle
      // first.
      if (!(await store.startThrottle(tx, key, last, next))) continue;
      const { kind, about } = notification;
      const { tag: kindTag, url, suffix, permission } = rules.kinds[kind];
      const title = `${group_name} ${suffix}`;
      const tag = about === undefined ? kindTag : `${kindTag} ${about}`;
      const payload = encodePayload({ title, body: formatBody(notification, last), tag, url: url(about ?? "") });
      const pushes = recipients.map(({ id, settings }) => ({
        subscriptionId: id,
        permission,
        topic: toTopic(key),
        tag,
        expiresAt: rules.pushExpiry(settings.quiet_hours, notification.at, time),
        payload,
      }));
      await push.queue(tx, pushes);
    }
  });
  return [];
}

interface Reminder {
  readonly kind: contract.NotificationKind;
  /**
   * Subject of the reminder, which replaces an earlier reminder with the same subject on the
   * device.
   */
  readonly about: string;
  readonly body: string;
  /**
   * Claims the reminder in the transaction that queues its pushes; called only if a device may
   * receive the reminder now. Resolves to `false` if another instance has sent the reminder.
   */
  readonly claim: (tx: Db) => Promise<boolean>;
}

/**
 * Pushes a reminder to a member's devices if the member's settings allow this kind at this time.
 */
export async function notifyMember(context: Context, userId: number, reminder: Reminder): Promise<void> {
  const { db, clock, config, group, push } = context;
  const at = clock.now();
  const time = localTime(at, config.timeZone);
  const recipients = (await store.listAllSubscriptions(db)).filter(
    (one) => one.userId === userId && rules.isWanted(one.settings, reminder.kind, time),
  );
  if (recipients.length === 0) return;
  const { tag: kindTag, url, suffix, permission } = rules.kinds[reminder.kind];
  const tag = `${kindTag} ${reminder.about}`;
  const payload = encodePayload({
    title: `${(await group.settings()).group_name} ${suffix}`,
    body: reminder.body,
    tag,
    url: url(reminder.about),
  });
  const pushes = recipients.map(({ id, settings }) => ({
    subscriptionId: id,
    permission,
    topic: toTopic(`${tag} ${userId}`),
    tag,
    expiresAt: rules.pushExpiry(settings.quiet_hours, at, time),
    payload,
  }));
  await inTransaction(db, async (tx) => {
    if (await reminder.claim(tx)) await push.queue(tx, pushes);
  });
}

/**
 * Returns the key of the throttle for a notification: one key per kind and sender. A notification
 * without a sender has one key per text, so that a repeatedly crashing game server does not hold
 * back other servers' pushes.
 */
function throttleKey({ kind, senderId, body }: Notification): string {
  return `${kind} ${senderId ?? sha256(body)}`;
}

function formatBody(
  { body, several, at }: TimedNotification,
  last: { pushed_at: number; count: number } | undefined,
): string {
  if (!several || !last || last.pushed_at <= at - rules.countingWindow) return body;
  const more = several.count - last.count;
  return more > 1 ? several.body(more) : body;
}

/** Pushes a test notification to all browsers of the member and returns the outcome for each. */
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

/**
 * Returns the push topic of a subject; a push service keeps only the latest push per topic. The
 * topic is a hash, so that push services cannot read the subject.
 */
function toTopic(subject: string): string {
  return sha256(subject).slice(0, 32);
}

/**
 * Creates a function that prepares a queued push when it is sent, up to an hour later, with the
 * current sound setting. It returns `undefined` if the member may not or need not receive the push
 * any more.
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
    const doors = kind === "calendar" ? rules.doorsIn(about) : [];
    if (doors.length > 0 && !(await store.hasEmptyDoor(db, sessionId, doors))) return undefined;
    if (kind === "party" && !(await store.isPartyNews(db, sessionId, Number(about), now))) return undefined;
    if (kind && !rules.isWanted(settings, kind, localTime(now, config.timeZone))) return undefined;
    const holder = { permissions: parsePermissions(session.permissions) };
    if (permission !== null && !hasPermissions(holder, [permission])) return undefined;
    return { target, payload: JSON.stringify({ ...message, silent: !settings.sound }) };
  };
}

/**
 * Creates a function that saves the outcome of a push, and deletes a subscription that has ended or
 * failed permanently. Deliveries at the same time share a commit.
 */
export function createRecordDelivery(db: Db, clock: Clock, log: Log) {
  const saveDelivered = createBatcher({
    ...batchLimits,
    commit: async (ids: readonly number[]): Promise<void[]> => {
      await store.updateDelivered(db, ids, clock.now());
      return [];
    },
  });
  return async ({ subscriptionId }: Pick<PushJob, "subscriptionId">, outcome: PushOutcome["kind"]): Promise<void> => {
    if (outcome === "delivered") return saveDelivered(subscriptionId);
    const now = clock.now();
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
