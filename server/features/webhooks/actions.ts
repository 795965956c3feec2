import { randomUUID } from "node:crypto";

import type { BodyOf } from "#contract/endpoint.ts";
import * as contract from "#contract/webhooks.ts";
import { type Db, inTransaction } from "#server/db/connect.ts";
import * as beerStore from "#server/features/beers/store.ts";
import { changeAsAdmin } from "#server/features/members/actions.ts";
import type { Context } from "#server/platform/context.ts";
import { refuse, refuseField } from "#server/platform/http/refusal.ts";
import type { NewMessage, Sender } from "#server/platform/outbox/outbox.ts";
import * as outboxStore from "#server/platform/outbox/store.ts";
import {
  AnswerTooLargeError,
  ForbiddenAddressError,
  resolveBySystem,
  ssrfSafeRequest,
} from "#server/platform/security/ssrf-safe-request.ts";
import type { WebhookMessage } from "#server/platform/webhook-message.ts";
import { toIso } from "#server/time.ts";
import * as rules from "./rules.ts";
import * as store from "./store.ts";

export async function listWebhooks({ db }: Pick<Context, "db">): Promise<contract.Webhook[]> {
  const [webhooks, events] = await Promise.all([store.listWebhooks(db), store.listEvents(db)]);
  return Promise.all(
    webhooks.map(async ({ id, name, format, url, created_at, by, paused_at }) => {
      const messages = await outboxStore.listMessagesTo(db, "webhook", String(id), contract.shownDeliveries);
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
        paused_at: toIso(paused_at),
        deliveries: messages.map(({ uuid, message, created_at: createdAt, state, attempts, answer }) => ({
          id: uuid,
          event: (JSON.parse(message) as WebhookMessage).event,
          created_at: toIso(createdAt),
          state,
          attempts,
          answer: answer === null ? null : rules.describeAnswer(JSON.parse(answer) as rules.Answer),
        })),
      };
    }),
  );
}

/** Summaries leave out the beers that are already booked. */
export async function createWebhook(
  context: Pick<Context, "db" | "clock" | "config" | "say">,
  { name, format, url: text, token, events }: BodyOf<typeof contract.createWebhook>,
  by: number,
): Promise<{ id: number; secret: string | null }> {
  const { clock, config } = context;
  const url = rules.parseWebhookUrl(text, config.webhookAllowPrivate);
  if (!url) throw refuseField("url", "notAWebhookUrl");
  const pathProblem = rules.findPathProblem(format, url);
  if (pathProblem) throw refuseField("url", pathProblem);
  if (token === "" && rules.formatsWithToken.has(format)) throw refuseField("token", "required");
  const secret = rules.createSecret();
  const now = clock.now();
  const id = await changeAsAdmin(context, by, async (tx, say) => {
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
    await say.audit("webhook-created", { name, host: url.host });
    return created;
  });
  return { id, secret: format === "json" ? secret : null };
}

export async function changeWebhook(
  context: Pick<Context, "db" | "clock" | "say">,
  id: number,
  { name, events }: BodyOf<typeof contract.changeWebhook>,
  by: number,
): Promise<void> {
  await changeAsAdmin(context, by, async (tx, say) => {
    if (!(await store.updateName(tx, id, name))) throw refuse("notFound");
    await store.updateEvents(tx, id, events);
    await say.audit("webhook-changed", { name });
  });
}

export async function resumeWebhook(context: Pick<Context, "db" | "clock" | "say">, id: number, by: number) {
  const { clock } = context;
  await changeAsAdmin(context, by, async (tx, say) => {
    const name = await store.resumeWebhook(tx, id, by, clock.now());
    if (name === undefined) throw refuse("notFound");
    await say.audit("webhook-resumed", { name });
  });
}

export async function deleteWebhook(context: Pick<Context, "db" | "clock" | "say">, id: number, by: number) {
  await changeAsAdmin(context, by, async (tx, say) => {
    const name = await store.deleteWebhook(tx, id);
    if (name === undefined) throw refuse("notFound");
    await say.audit("webhook-deleted", { name });
  });
}

/** Sends without the queue, also while the webhook is paused. */
export async function testWebhook(context: Context, id: number): Promise<{ message: string; is_delivered: boolean }> {
  const { db, clock, group } = context;
  const webhook = await store.findWebhook(db, id);
  if (!webhook) throw refuse("notFound");
  const { group_name } = await group.settings();
  const content = { event: "test", text: `Prost! So schreibt ${group_name} hierher.`, data: {} } as const;
  const options = { id: randomUUID(), createdAt: clock.now() };
  const answer = await attempt(context, webhook, content, options, context.stopping);
  return { message: rules.describeAnswer(answer), is_delivered: rules.toOutcome(answer) === "delivered" };
}

/** Queues a message for every active webhook that is subscribed to its kind of event. */
export function createSendWebhooks({ clock, outbox }: Pick<Context, "clock" | "outbox">) {
  return async (tx: Db, message: WebhookMessage): Promise<void> => {
    const webhooks = await store.listSubscribed(tx, message.event);
    await outbox.add(
      tx,
      webhooks.map((id) => toMessage(id, message, clock.now())),
    );
  };
}

function toMessage(webhookId: number, message: WebhookMessage, now: number): NewMessage {
  return { kind: "webhook", receiver: String(webhookId), message, expiresAt: now + rules.deliveryLifetime };
}

/**
 * Queues a summary of the beers since the last one. Beers that can still be undone are left to the next; late beers are
 * in none.
 */
export async function summarizeBeers({ db, clock, outbox }: Pick<Context, "db" | "clock" | "outbox">): Promise<void> {
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
    const { total } = await beerStore.findGroupTotal(db);
    const message: WebhookMessage = { event: "beers", beers, total };
    await inTransaction(db, async (tx) => {
      const next = { last_beer_id: last.id, summarized_at: now };
      if (!(await store.updateSummary(tx, webhook, next)) || beers.length === 0) return;
      await outbox.add(tx, [toMessage(webhook.id, message, now)]);
    });
  }
}

/** The next summary reads the beers after them. */
const maxSummarized = 5000;

type SenderContext = Pick<Context, "db" | "config" | "clock" | "log" | "group">;

export function createWebhookSender(context: SenderContext): Sender {
  const { db } = context;
  return {
    kind: "webhook",
    parallel: 20,
    claimMs: rules.claimMs,
    retryDelays: rules.retryDelays,
    isHistoryKept: true,
    async send({ uuid, receiver, message: stored, createdAt }, stop) {
      const webhook = await store.findWebhook(db, Number(receiver));
      if (!webhook) return { result: "obsolete" };
      if (webhook.paused_at !== null) return { result: "dropped" };
      const message = stored as WebhookMessage;
      const content = rules.formatMessage(message, await store.listShownNames(db, rules.membersOf(message)));
      if (content === null) return { result: "obsolete" };
      const answer = await attempt(context, webhook, content, { id: uuid, createdAt }, stop);
      const result = rules.toOutcome(answer);
      if (!stop.aborted) await recordAttempt(context, webhook.id, result);
      return { result, answer };
    },
  };
}

/** Never rejects. */
async function attempt(
  { config, clock, log, group }: Omit<SenderContext, "db">,
  webhook: store.WebhookRow,
  content: rules.WebhookContent,
  { id, createdAt }: Omit<rules.DeliveryTimes, "now">,
  stop: AbortSignal,
): Promise<rules.Answer> {
  const times = { id, createdAt, now: clock.now() };
  const sender = (await group.settings()).group_name;
  const { url, ...request } = rules.buildRequest(webhook, content, times, sender);
  const maxAnswerBytes = webhook.format === "json" ? 0 : rules.maxReceiptBytes;
  const options = { resolve: resolveBySystem, allowPrivate: config.webhookAllowPrivate, stop };
  try {
    const { status, text } = await ssrfSafeRequest(url, { ...request, maxAnswerBytes }, options);
    log.info("webhook-answered", { webhook: webhook.id, status });
    const isUnconfirmed = status >= 200 && status < 300 && !rules.isReceipt(webhook.format, status, text);
    return isUnconfirmed ? { status: null, failure: "unconfirmed" } : { status, failure: null };
  } catch (error) {
    const failure = toFailure(error);
    if (!stop.aborted) log.warn("webhook-failed", { webhook: webhook.id, failure });
    return { status: null, failure };
  }
}

function toFailure(error: unknown): rules.WebhookFailure {
  if (error instanceof ForbiddenAddressError) return "forbidden-address";
  if (error instanceof AnswerTooLargeError) return "unconfirmed";
  const { name = "", code = "" } = error as { name?: string; code?: string };
  if (name === "TimeoutError") return "timeout";
  return /CERT|SSL|TLS|SIGNATURE/.test(code) ? "certificate" : "unreachable";
}

async function recordAttempt(
  { db, clock, log }: SenderContext,
  id: number,
  result: rules.AttemptOutcome,
): Promise<void> {
  if (result === "delivered") return store.updateSucceeded(db, id);
  await inTransaction(db, (tx) => countFailure(tx, id, clock.now(), log));
}

async function countFailure(tx: Db, webhookId: number, now: number, log: Context["log"]): Promise<void> {
  const failed = await store.updateFailed(tx, webhookId, now);
  if (!failed || failed.failures < rules.failureLimit.attempts) return;
  if (now - failed.failing_since! < rules.failureLimit.ms) return;
  await store.pauseWebhooks(tx, { id: webhookId }, now);
  log.warn("webhook-paused", { webhook: webhookId });
}
