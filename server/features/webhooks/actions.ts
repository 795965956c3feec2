import { randomUUID } from "node:crypto";

import type { BodyOf } from "#contract/endpoint.ts";
import * as contract from "#contract/webhooks.ts";
import { type Db, inTransaction } from "#server/db/connect.ts";
import { checkTransaction } from "#server/db/transaction-scope.ts";
import { findGroup } from "#server/features/beercounter/store.ts";
import { inAdminChange } from "#server/features/members/actions.ts";
import { createAuditEntry } from "#server/platform/audit/store.ts";
import type { Context } from "#server/platform/context.ts";
import { refuse, refuseField } from "#server/platform/http/refusal.ts";
import { outageFields } from "#server/platform/log.ts";
import {
  AnswerTooLargeError,
  ForbiddenAddressError,
  resolveBySystem,
  ssrfSafeRequest,
} from "#server/platform/security/ssrf-safe-request.ts";
import type { WebhookMessage } from "#server/platform/webhook-message.ts";
import { toIso } from "#server/time.ts";
import * as rules from "./rules.ts";
import type { WebhookFailure } from "./rules.ts";
import * as store from "./store.ts";

export async function listWebhooks({ db }: Pick<Context, "db">): Promise<contract.Webhook[]> {
  const [webhooks, events] = await Promise.all([store.listWebhooks(db), store.listEvents(db)]);
  return Promise.all(
    webhooks.map(async ({ id, name, format, url, created_at, by, paused_at }) => {
      const deliveries = await store.listDeliveries(db, id, contract.shownDeliveries);
      return {
        id,
        name,
        format,
        host: new URL(url).host,
        events: contract.webhookEvents.filter((event) =>
          events.some((one) => one.webhook_id === id && one.event === event),
        ),
        created_at: toIso(created_at),
        by,
        paused_at: paused_at === null ? null : toIso(paused_at),
        deliveries: deliveries.map(({ status, failure, created_at: createdAt, state, attempts, ...delivery }) => ({
          id: delivery.id,
          event: delivery.event,
          created_at: toIso(createdAt),
          state,
          attempts,
          answer: rules.describeAnswer(status, failure),
        })),
      };
    }),
  );
}

/** Creates a webhook. Its summaries leave out the beers that are already booked. */
export async function createWebhook(
  { db, clock, config }: Pick<Context, "db" | "clock" | "config">,
  { name, format, url: text, token, events }: BodyOf<typeof contract.createWebhook>,
  by: number,
): Promise<{ id: number; secret: string | null }> {
  const url = rules.parseWebhookUrl(text, config.webhookAllowPrivate);
  if (!url) throw refuseField("url", "notAWebhookUrl");
  const pathProblem = rules.findPathProblem(format, url);
  if (pathProblem) throw refuseField("url", pathProblem);
  if (token === "" && rules.formatsWithToken.has(format)) throw refuseField("token", "required");
  const secret = rules.createSecret();
  const now = clock.now();
  const id = await inAdminChange(db, by, async (tx) => {
    if ((await store.countWebhooks(tx)) >= contract.maxWebhooks) throw refuse("tooManyWebhooks");
    const created = await store.createWebhook(tx, {
      name,
      format,
      url: url.href,
      token,
      secret,
      created_by: by,
      created_at: now,
      paused_at: null,
      failing_since: null,
      last_beer_id: await store.findLastBeerId(tx),
      summarized_at: now,
    });
    await store.updateEvents(tx, created, events);
    await createAuditEntry(tx, "webhook-created", { name, host: url.host }, { at: now, by });
    return created;
  });
  return { id, secret: format === "json" ? secret : null };
}

export async function changeWebhook(
  { db, clock }: Pick<Context, "db" | "clock">,
  id: number,
  { name, events }: BodyOf<typeof contract.changeWebhook>,
  by: number,
): Promise<void> {
  await inAdminChange(db, by, async (tx) => {
    if (!(await store.updateName(tx, id, name))) throw refuse("notFound");
    await store.updateEvents(tx, id, events);
    await createAuditEntry(tx, "webhook-changed", { name }, { at: clock.now(), by });
  });
}

export async function resumeWebhook({ db, clock }: Pick<Context, "db" | "clock">, id: number, by: number) {
  await inAdminChange(db, by, async (tx) => {
    const name = await store.resumeWebhook(tx, id, by, clock.now());
    if (name === undefined) throw refuse("notFound");
    await createAuditEntry(tx, "webhook-resumed", { name }, { at: clock.now(), by });
  });
}

export async function deleteWebhook({ db, clock }: Pick<Context, "db" | "clock">, id: number, by: number) {
  await inAdminChange(db, by, async (tx) => {
    const name = await store.deleteWebhook(tx, id);
    if (name === undefined) throw refuse("notFound");
    await createAuditEntry(tx, "webhook-deleted", { name }, { at: clock.now(), by });
  });
}

/** Sends a test message without the queue, also while the webhook is paused. */
export async function testWebhook(context: Context, id: number): Promise<{ message: string; is_delivered: boolean }> {
  const { db, clock, group } = context;
  const webhook = await store.findWebhook(db, id);
  if (!webhook) throw refuse("notFound");
  const { group_name } = await group.settings();
  const content = { event: "test", text: `Prost! So schreibt ${group_name} hierher.`, data: {} } as const;
  const options = { id: randomUUID(), createdAt: clock.now() };
  const { status, failure } = await attempt(context, webhook, content, options);
  return {
    message: rules.describeAnswer(status, failure)!,
    is_delivered: rules.toOutcome(status, failure) === "delivered",
  };
}

/**
 * Creates `sendWebhooks` of the context, which queues a message for every active webhook that is
 * subscribed to its kind of event.
 */
export function createSendWebhooks({ clock }: Pick<Context, "clock">): Context["sendWebhooks"] {
  return async (tx, message) => {
    checkTransaction(tx);
    const delivery = { event: message.event, message: JSON.stringify(message), now: clock.now() };
    await store.createDeliveries(tx, delivery, randomUUID);
  };
}

/**
 * Queues a summary of the beers since the last summary. Beers that can still be undone are left to
 * the next summary; late beers are in no summary.
 */
export async function summarizeBeers({ db, clock }: Pick<Context, "db" | "clock">): Promise<void> {
  const now = clock.now();
  const webhooks = await store.listSummaryWebhooks(db, now - rules.summaryInterval);
  for (const webhook of webhooks) {
    const rows = await store.listBeersAfter(db, webhook.last_beer_id, maxSummarized);
    const isRecent = ({ at, booked_at }: store.BeerRow) => (booked_at ?? at) > now - rules.summaryInterval;
    const end = rows.findIndex(isRecent);
    const final = end < 0 ? rows : rows.slice(0, end);
    const last = final.at(-1);
    if (!last) continue;
    const counts = new Map<number, number>();
    for (const { user_id, at, booked_at } of final)
      if (booked_at === null && at > now - rules.summaryWindow) counts.set(user_id, (counts.get(user_id) ?? 0) + 1);
    const beers = [...counts].map(([userId, count]) => ({ userId, count })).toSorted((a, b) => b.count - a.count);
    const { total } = await findGroup(db);
    const message: WebhookMessage = { event: "beers", beers, total };
    await inTransaction(db, async (tx) => {
      const next = { last_beer_id: last.id, summarized_at: now };
      if (!(await store.updateSummary(tx, webhook, next)) || beers.length === 0) return;
      const delivery = { id: randomUUID(), webhook_id: webhook.id, event: "beers" as const, now };
      await store.createDelivery(tx, { ...delivery, message: JSON.stringify(message) });
    });
  }
}

/** Maximum number of beers that one summary reads; the next summary reads the beers after them. */
const maxSummarized = 5000;

type SenderContext = Pick<Context, "db" | "database" | "config" | "clock" | "log" | "group" | "stopping">;

/**
 * Starts to send the due deliveries, each webhook's one after another and independent of the others.
 * Returns a promise per webhook, which resolves after its last due delivery and never rejects.
 * Several instances may run this at once.
 */
export async function startSending(context: SenderContext): Promise<Promise<void>[]> {
  const { db, clock, log } = context;
  const webhooks = await store.listDueWebhooks(db, clock.now());
  return webhooks.map(async (id) =>
    sendDue(context, id).catch((error: unknown) => log.warn("webhook-failed", { webhook: id, ...outageFields(error) })),
  );
}

async function sendDue(context: SenderContext, webhookId: number): Promise<void> {
  const { db, database, clock, stopping } = context;
  const isPostgres = database.kind === "postgres";
  while (!stopping.aborted) {
    const claim = { now: clock.now(), claimMs: rules.claimMs, isPostgres };
    const delivery = await store.claimDelivery(db, webhookId, claim);
    if (!delivery) return;
    await sendDelivery(context, delivery);
  }
}

async function sendDelivery(context: SenderContext, delivery: store.DeliveryRow): Promise<void> {
  const { db, clock } = context;
  const { id, webhook_id, created_at } = delivery;
  const webhook = await store.findWebhook(db, webhook_id);
  if (!webhook) return;
  if (webhook.paused_at !== null || created_at <= clock.now() - rules.deliveryLifetime)
    return store.updateDelivery(db, id, { state: "dropped" });
  const message = JSON.parse(delivery.message) as WebhookMessage;
  const content = rules.formatMessage(message, await store.listShownNames(db, rules.membersOf(message)));
  if (content === null) return store.deleteDelivery(db, id);
  const answer = await attempt(context, webhook, content, { id, createdAt: created_at });
  // Does not record an attempt that the stop of the server has interrupted; the next start repeats
  // it.
  if (context.stopping.aborted) return;
  await recordAttempt(context, delivery, answer);
}

interface Answer {
  /** HTTP status; `null` if the attempt failed, with the reason in `failure`. */
  readonly status: number | null;
  readonly failure: WebhookFailure | null;
}

/** Sends a message once; never rejects. */
async function attempt(
  { config, clock, log, group, stopping }: Omit<SenderContext, "db" | "database">,
  webhook: store.WebhookRow,
  content: rules.WebhookContent,
  { id, createdAt }: Omit<rules.DeliveryTimes, "now">,
): Promise<Answer> {
  const times = { id, createdAt, now: clock.now() };
  const sender = (await group.settings()).group_name;
  const { url, ...request } = rules.buildRequest(webhook, content, times, sender);
  const maxAnswerBytes = webhook.format === "json" ? 0 : rules.maxReceiptBytes;
  const options = { resolve: resolveBySystem, allowPrivate: config.webhookAllowPrivate, stop: stopping };
  try {
    const { status, text } = await ssrfSafeRequest(url, { ...request, maxAnswerBytes }, options);
    log.info("webhook-answered", { webhook: webhook.id, status });
    const isUnconfirmed = status >= 200 && status < 300 && !rules.isReceipt(webhook.format, status, text);
    return isUnconfirmed ? { status: null, failure: "unconfirmed" } : { status, failure: null };
  } catch (error) {
    const failure = toFailure(error);
    if (!stopping.aborted) log.warn("webhook-failed", { webhook: webhook.id, failure });
    return { status: null, failure };
  }
}

function toFailure(error: unknown): WebhookFailure {
  if (error instanceof ForbiddenAddressError) return "forbidden-address";
  if (error instanceof AnswerTooLargeError) return "unconfirmed";
  const { name = "", code = "" } = error as { name?: string; code?: string };
  if (name === "TimeoutError") return "timeout";
  return /CERT|SSL|TLS|SIGNATURE/.test(code) ? "certificate" : "unreachable";
}

async function recordAttempt(
  { db, clock, log }: SenderContext,
  { id, webhook_id, attempts }: store.DeliveryRow,
  { status, failure }: Answer,
): Promise<void> {
  const now = clock.now();
  const outcome = rules.toOutcome(status, failure);
  const result = { status, failure, attempts: attempts + 1 };
  const delay = rules.retryDelays[attempts];
  await inTransaction(db, async (tx) => {
    if (outcome === "delivered") {
      await store.updateDelivery(tx, id, { ...result, state: "delivered" });
      return store.updateSucceeded(tx, webhook_id);
    }
    if (outcome === "dropped" || delay === undefined)
      await store.updateDelivery(tx, id, { ...result, state: "dropped" });
    else await store.updateDelivery(tx, id, { ...result, due_at: now + delay, claimed_until: null });
    await countFailure(tx, webhook_id, now, log);
  });
}

async function countFailure(tx: Db, webhookId: number, now: number, log: Context["log"]): Promise<void> {
  const failed = await store.updateFailed(tx, webhookId, now);
  if (!failed || failed.failures < rules.failureLimit.attempts) return;
  if (now - failed.failing_since! < rules.failureLimit.ms) return;
  await store.pauseWebhooks(tx, { id: webhookId }, now);
  log.warn("webhook-paused", { webhook: webhookId });
}
