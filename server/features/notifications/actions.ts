import type { BodyOf } from "#contract/endpoint.ts";
import type * as contract from "#contract/notifications.ts";
import type { Config } from "#server/config.ts";
import { type Db, inTransaction } from "#server/db/connect.ts";
import { sessionCutoffs } from "#server/features/members/session-rules.ts";
import * as sessionStore from "#server/features/members/session-store.ts";
import * as memberStore from "#server/features/members/store.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Context } from "#server/platform/context.ts";
import { describeDevice } from "#server/platform/device-name.ts";
import { hasPermissions, type Member } from "#server/platform/http/member.ts";
import { refuse, refuseField } from "#server/platform/http/refusal.ts";
import { sha256 } from "#server/platform/http/session-cookies.ts";
import { createBatcher } from "#server/platform/jobs/batcher.ts";
import { localTime } from "#server/platform/local-day.ts";
import type { Log } from "#server/platform/log.ts";
import type { Notification } from "#server/platform/notification.ts";
import { arePushKeysValid, isPushEndpoint } from "#server/platform/push/endpoint.ts";
import type { PushJob } from "#server/platform/push/job.ts";
import type { PushOptions, PushOutcome } from "#server/platform/push/push.ts";
import { toIso } from "#server/time.ts";
import * as rules from "./rules.ts";
import * as store from "./store.ts";

/** Lasts until the session ends. Replaces another member's subscription in the same browser. */
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
    last_success_at: toIso(delivered_at),
    current: session_id === member.sessionId,
  }));
}

/** Lasts until the member subscribes on the device again or logs in again. */
export async function removePushDevice({ db }: Pick<Context, "db">, member: Member, id: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    const sessionId = await store.deleteOwnSubscription(tx, member.id, id);
    if (sessionId === undefined) throw refuse("notFound");
    await store.createRefusal(tx, sessionId);
  });
}

/** Results are stored together, because a write per push would slow down bookings. */
const batchLimits = { maxBatch: 200, maxWaiting: 1000 };

/** Pushes in the transaction of a change: to one member, or to all but the sender, throttled by kind and sender. */
export function createNotify({ config, clock, group, outbox }: Pick<Context, "config" | "clock" | "group" | "outbox">) {
  return async (tx: Db, notifications: readonly Notification[]): Promise<void> => {
    if (notifications.length === 0) return;
    const at = clock.now();
    const time = localTime(at, config.timeZone);
    const throttles = await store.findThrottles(tx, notifications.map(throttleKey));
    const due = notifications.filter((one) => {
      const last = throttles.get(throttleKey(one));
      return one.to !== undefined || !last || last.pushed_at <= at - rules.throttleInterval;
    });
    const subscriptions = due.length === 0 ? [] : await store.listAllSubscriptions(tx);
    for (const notification of due) {
      const { kind, senderId, to } = notification;
      const recipients = subscriptions.filter(
        ({ userId, settings }) =>
          (to === undefined ? userId !== senderId : userId === to) && rules.isWanted(settings, kind, time),
      );
      if (recipients.length === 0) continue;
      const key = throttleKey(notification);
      const last = to === undefined ? throttles.get(key) : undefined;
      const next = { pushed_at: at, count: notification.several?.count ?? 0 };
      // Another instance has claimed the push or started the throttle first.
      const isOurs = to === undefined ? store.startThrottle(tx, key, last, next) : (notification.claim?.() ?? true);
      if (!(await isOurs)) continue;
      const { tag: kindTag, url, suffix, permission } = rules.kinds[kind];
      const about = notification.about ?? "";
      const tag = about === "" ? kindTag : `${kindTag} ${about}`;
      const title = `${(await group.settings(tx)).group_name} ${suffix}`;
      const payload = encodePayload({ title, body: formatBody(notification, last, at), tag, url: url(about) });
      const topic = toTopic(to === undefined ? key : `${tag} ${to}`);
      await outbox.add(
        tx,
        recipients.map(({ id, settings }) => ({
          kind: "push",
          receiver: String(id),
          tag,
          message: { permission, topic, payload },
          expiresAt: rules.pushExpiry(settings.quiet_hours, at, time, notification.lifetime),
        })),
      );
    }
  };
}

/**
 * Returns one key per kind and sender. Without a sender, each text has its own, so that a repeatedly crashing game
 * server does not hold back other servers' pushes.
 */
function throttleKey({ kind, senderId, body }: Notification): string {
  return `${kind} ${senderId ?? sha256(body)}`;
}

function formatBody(
  { body, several }: Notification,
  last: { pushed_at: number; count: number } | undefined,
  at: number,
): string {
  if (!several || !last || last.pushed_at <= at - rules.countingWindow) return body;
  const more = several.count - last.count;
  return more > 1 ? several.body(more) : body;
}

export async function testPush(context: Context, member: Member): Promise<contract.PushTest[]> {
  const { db, clock, group, log, push, stopping } = context;
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
      const outcome = await push.deliver(target, message, stopping);
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

/** A push service keeps only the latest push per topic. The hash hides the subject from it. */
function toTopic(subject: string): string {
  return sha256(subject).slice(0, 32);
}

/**
 * Prepares a queued push when it is sent, up to an hour later. Returns `undefined` if the member may not or need not
 * receive it any more.
 */
export function createPrepareDelivery(db: Db, config: Config, clock: Clock): PushOptions["prepareDelivery"] {
  return async ({ subscriptionId, permission, payload }) => {
    const subscription = await store.findSubscription(db, subscriptionId);
    if (!subscription) return undefined;
    const { sessionId, target, settings } = subscription;
    const now = clock.now();
    const session = await sessionStore.findSession(db, sessionId, sessionCutoffs(now, config.rememberDays));
    if (!session) return undefined;
    const message = JSON.parse(payload) as rules.QueuedPayload;
    const { kind, about } = rules.kindOf(message);
    const doors = kind === "calendar" ? rules.doorsIn(about) : [];
    if (doors.length > 0 && !(await store.hasEmptyDoor(db, sessionId, doors))) return undefined;
    const party = kind === "party" ? rules.partyNewsIn(about) : undefined;
    if (party && !(await store.isPartyNews(db, sessionId, party, now))) return undefined;
    if (kind && !rules.isWanted(settings, kind, localTime(now, config.timeZone))) return undefined;
    const holder = { permissions: memberStore.parsePermissions(session.permissions) };
    if (permission !== null && !hasPermissions(holder, [permission])) return undefined;
    return { target, payload: JSON.stringify({ ...message, silent: !settings.sound }) };
  };
}

/** Deletes a subscription that has ended or failed permanently. Simultaneous deliveries share a commit. */
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
