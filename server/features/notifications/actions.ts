import type { BodyOf } from "#contract/endpoint.ts";
import type {
  NotificationKind,
  PushDevice,
  PushPayload,
  PushTest,
  subscribeToPush as subscribeEndpoint,
} from "#contract/notifications.ts";
import type { Config } from "#server/config.ts";
import { type Db, inTransaction } from "#server/db/connect.ts";
import { sessionCutoffs } from "#server/features/auth/rules.ts";
import { findSessions } from "#server/features/auth/store.ts";
import type { Clock } from "#server/platform/clock.ts";
import { describeDevice } from "#server/platform/device-name.ts";
import { createBatcher } from "#server/platform/batcher.ts";
import { hasPermissions, type Member } from "#server/platform/http/member.ts";
import { refuse, refuseField } from "#server/platform/http/refusal.ts";
import { sha256 } from "#server/platform/http/session-cookies.ts";
import { localTime } from "#server/platform/local-day.ts";
import { errorFields, type Log } from "#server/platform/log.ts";
import type { Context } from "#server/platform/context.ts";
import { arePushKeysValid, isPushEndpoint, type PushTarget } from "#server/platform/push/endpoint.ts";
import type { PushJob, PushOutcome } from "#server/platform/push/push.ts";
import {
  countingWindow,
  failureLimit,
  isWanted,
  kinds,
  pushLifetime,
  maxSubscriptions,
  throttleInterval,
} from "./rules.ts";
import {
  startThrottle,
  deleteForeignEndpoint,
  deleteOldestSubscriptions,
  deleteOwnSubscription,
  deleteRefusal,
  deleteSubscription,
  findThrottles,
  findSubscription,
  createKeptPushes,
  createRefusal,
  listAllSubscriptions,
  listSubscriptions,
  lockSession,
  updateDelivered,
  updateFailed,
  upsertSubscription,
} from "./store.ts";

/** From now on this browser is pushed to, as long as this session lives; whoever used it before is not any more. */
export async function subscribe(
  { db, config, clock }: Context,
  member: Member,
  { pushSubscription: { endpoint, keys } }: BodyOf<typeof subscribeEndpoint>,
): Promise<void> {
  if (!isPushEndpoint(endpoint, config) || !arePushKeysValid(keys)) throw refuseField("pushSubscription", "V-in");
  await inTransaction(db, async (tx) => {
    if (!(await lockSession(tx, member.sessionId))) throw refuse("M401");
    await deleteRefusal(tx, member.sessionId);
    await deleteForeignEndpoint(tx, endpoint, member.id);
    await upsertSubscription(tx, member.sessionId, { endpoint, ...keys }, clock.now());
    await deleteOldestSubscriptions(tx, member.id, maxSubscriptions);
  });
}

export async function listPushDevices({ db }: Context, member: Member): Promise<PushDevice[]> {
  const subscriptions = await listSubscriptions(db, member.id);
  return subscriptions.map(({ id, session_id, user_agent, created_at, delivered_at }) => ({
    id,
    device: describeDevice(user_agent),
    since: new Date(created_at).toISOString(),
    last_success_at: delivered_at === null ? null : new Date(delivered_at).toISOString(),
    current: session_id === member.sessionId,
  }));
}

/** That browser does not come back with its next start, only when somebody asks for it there, or logs in again. */
export async function removePushDevice({ db }: Context, member: Member, id: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    const sessionId = await deleteOwnSubscription(tx, member.id, id);
    if (sessionId === undefined) throw refuse("M404");
    await createRefusal(tx, sessionId);
  });
}

/** Something that others may want to hear of. */
export interface NotificationInput {
  readonly kind: NotificationKind;
  /** Who did it, and hears nothing of it; null: nobody did, it happened. */
  readonly senderId: number | null;
  readonly body: string;
  /** Instead of `body` where the last push is followed by several: how high the sender's count stands, and the words. */
  readonly several?: { readonly count: number; readonly body: (more: number) => string };
}

/**
 * Pushes to the others who want to hear of it. Call it after the commit and do not wait: it returns at once and never
 * fails. Of the same sender and kind nobody is told more often than every half hour.
 */
export function notifyMembers(context: Context, news: NotificationInput): void {
  let tell = batchers.get(context);
  if (!tell) {
    tell = createBatcher({ ...batchLimits, commit: (batch) => pushToOthers(context, batch) });
    batchers.set(context, tell);
  }
  tell({ ...news, at: context.clock.now() }).catch((error: unknown) =>
    context.log.warn("notify-failed", errorFields(error)),
  );
}

const batchLimits = { maxBatch: 200, maxWaiting: 1000 };
/** What happens at the same time is told together: on a good evening each durable write would make the beers wait. */
const batchers = new WeakMap<Context, (news: TimedNotification) => Promise<void>>();

type TimedNotification = NotificationInput & { readonly at: number };

async function pushToOthers(context: Context, batch: readonly TimedNotification[]): Promise<void[]> {
  const { db, config, group, push } = context;
  const pauses = await findThrottles(db, batch.map(throttleKey));
  const isDue = (news: TimedNotification) =>
    news.at >= (pauses.get(throttleKey(news))?.pushed_at ?? -Infinity) + throttleInterval;
  // Of several by the same sender the first is told; the pause that it begins holds for the others.
  const due = new Map<string, TimedNotification>();
  for (const news of batch.filter(isDue)) if (!due.has(throttleKey(news))) due.set(throttleKey(news), news);
  if (due.size === 0) return [];

  const subscriptions = await listAllSubscriptions(db);
  const heard = [...due].flatMap(([key, news]) => {
    const time = localTime(news.at, config.timeZone);
    const willing = subscriptions.filter(
      ({ userId, settings }) => userId !== news.senderId && isWanted(settings, news.kind, time),
    );
    return willing.length === 0 ? [] : [{ key, news, willing, last: pauses.get(key) }];
  });
  if (heard.length === 0) return [];
  const told = await inTransaction(db, async (tx) => {
    const begun: typeof heard = [];
    for (const one of heard) {
      const next = { pushed_at: one.news.at, count: one.news.several?.count ?? 0 };
      if (await startThrottle(tx, one.key, one.last, next)) begun.push(one);
    }
    return begun;
  });

  const { group_name } = await group.settings();
  for (const { key, news, willing, last } of told) {
    const { tag, url, suffix, permission } = kinds[news.kind];
    const words = { title: `${group_name} ${suffix}`, body: formatBody(news, last), tag, url };
    const message = { topic: toTopic(key), expiresAt: news.at + pushLifetime, permission };
    push.send(
      willing.map(({ id, settings }) => ({
        ...message,
        subscriptionId: id,
        payload: encodePayload({ ...words, silent: !settings.sound }),
      })),
    );
  }
  return [];
}

/** What nobody did pauses by its words: one server that keeps crashing must not drown the news of another. */
function throttleKey({ kind, senderId, body }: NotificationInput): string {
  return `${kind} ${senderId ?? sha256(body)}`;
}

function formatBody(
  { body, several, at }: TimedNotification,
  last: { pushed_at: number; count: number } | undefined,
): string {
  const more = several && last && at < last.pushed_at + countingWindow ? several.count - last.count : 1;
  return several && more > 1 ? several.body(more) : body;
}

/** Pushes to every browser of the member right now, and tells what the push services said. */
export async function testPush(context: Context, member: Member): Promise<PushTest[]> {
  const { db, clock, group, log, push } = context;
  const title = `${(await group.settings()).group_name}: Test`;
  const body = "Prost! So sieht eine Benachrichtigung aus.";
  const message = {
    payload: encodePayload({ title, body, tag: "test", url: "/notifications", silent: false }),
    topic: toTopic(`test ${member.id}`),
    expiresAt: clock.now() + pushLifetime,
  };
  const settle = createRecordDelivery(db, clock, log);
  const subscriptions = await listSubscriptions(db, member.id);
  return Promise.all(
    subscriptions.map(async ({ id, user_agent, ...target }) => {
      const outcome = await push.deliver(target, message);
      await settle({ subscriptionId: id }, outcome.kind);
      return { device: describeDevice(user_agent), result: toResult(outcome) };
    }),
  );
}

function toResult({ kind }: PushOutcome): PushTest["result"] {
  if (kind === "delivered") return kind;
  return kind === "later" ? "unreachable" : "refused";
}

function encodePayload({ title, body, ...rest }: PushPayload): string {
  return JSON.stringify({ title: title.slice(0, 100), body: body.slice(0, 300), ...rest } satisfies PushPayload);
}

/** Unreadable for the push service, and the same for everything that may replace each other. */
function toTopic(subject: string): string {
  return sha256(subject).slice(0, 32);
}

/** Where a push goes at this moment: to nobody once the session ended, the member was disabled or may not know of it. */
export function createFindTarget(db: Db, config: Config, clock: Clock) {
  return async ({ subscriptionId, permission }: PushJob): Promise<PushTarget | null> => {
    const subscription = await findSubscription(db, subscriptionId);
    if (!subscription) return null;
    const { session_id, ...target } = subscription;
    const [session] = await findSessions(db, [session_id], sessionCutoffs(clock.now(), config.rememberDays));
    if (!session) return null;
    const holder = { permissions: JSON.parse(session.permissions) };
    return permission === null || hasPermissions(holder, [permission]) ? target : null;
  };
}

/** Remembers how a push went, and forgets browsers that are gone. */
export function createRecordDelivery(db: Db, clock: Clock, log: Log) {
  return async ({ subscriptionId }: Pick<PushJob, "subscriptionId">, outcome: PushOutcome["kind"]): Promise<void> => {
    const now = clock.now();
    if (outcome === "delivered") return updateDelivered(db, subscriptionId, now);
    const isOver =
      outcome === "gone" || outcome === "unauthorised" || (await hasFailedPermanently(db, subscriptionId, now));
    if (!isOver) return;
    log.info("push-subscription-removed", { outcome });
    await deleteSubscription(db, subscriptionId);
  };
}

async function hasFailedPermanently(db: Db, subscriptionId: number, now: number): Promise<boolean> {
  const failed = await updateFailed(db, subscriptionId, now);
  return (
    failed !== undefined && failed.failures >= failureLimit.failures && now - failed.failing_since! >= failureLimit.ms
  );
}

/** Ends sending; what still waits is kept for the next start. Never fails: a stop must not hang on hints. */
export async function keepPendingPushes({ db, log, push }: Pick<Context, "db" | "log" | "push">): Promise<void> {
  const left = await push.close();
  if (left.length === 0) return;
  await inTransaction(db, (tx) => createKeptPushes(tx, left)).catch((error: unknown) =>
    log.warn("pushes-lost", { pushes: left.length, ...errorFields(error) }),
  );
}
