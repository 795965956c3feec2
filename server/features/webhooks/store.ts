import type { Insertable, Selectable } from "kysely";

import { shownWith } from "#contract/visibility.ts";
import type { WebhookEvent } from "#contract/webhooks.ts";
import type { Db } from "#server/db/connect.ts";
import { exists } from "#server/db/exists.ts";
import type { Tables } from "#server/db/schema.ts";
import * as outboxStore from "#server/platform/outbox/store.ts";

export type WebhookRow = Selectable<Tables["webhooks"]>;

/** Returns the oldest first, with the name of the administrator to whom the webhook belongs. */
export async function listWebhooks(db: Db) {
  return db
    .selectFrom("webhooks")
    .leftJoin("users", "users.id", "webhooks.created_by")
    .selectAll("webhooks")
    .select("users.name as by")
    .orderBy("webhooks.id")
    .execute();
}

export async function findWebhook(db: Db, id: number): Promise<WebhookRow | undefined> {
  return db.selectFrom("webhooks").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function listEvents(db: Db) {
  return db.selectFrom("webhook_events").selectAll().execute();
}

export async function listOwnWebhooks(db: Db, userId: number) {
  return db
    .selectFrom("webhooks")
    .select(["name", "created_at"])
    .where("created_by", "=", userId)
    .orderBy("id")
    .execute();
}

export async function countWebhooks(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom("webhooks")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function createWebhook(tx: Db, webhook: Omit<Insertable<Tables["webhooks"]>, "id">): Promise<number> {
  const { id } = await tx.insertInto("webhooks").values(webhook).returning("id").executeTakeFirstOrThrow();
  return id;
}

export async function updateEvents(tx: Db, id: number, events: readonly WebhookEvent[]): Promise<void> {
  await tx.deleteFrom("webhook_events").where("webhook_id", "=", id).execute();
  const rows = [...new Set(events)].map((event) => ({ webhook_id: id, event }));
  await tx.insertInto("webhook_events").values(rows).execute();
}

/** Returns `false` if the webhook does not exist. */
export async function updateName(tx: Db, id: number, name: string): Promise<boolean> {
  return exists(tx.updateTable("webhooks").set({ name }).where("id", "=", id).returning("id"));
}

/** Deletes the webhook's messages, too. Returns the name; `undefined` if it does not exist. */
export async function deleteWebhook(tx: Db, id: number): Promise<string | undefined> {
  await outboxStore.deleteMessagesTo(tx, "webhook", String(id));
  const row = await tx.deleteFrom("webhooks").where("id", "=", id).returning("name").executeTakeFirst();
  return row?.name;
}

/** Drops their waiting deliveries, too. Returns the names of the webhooks that were active. */
export async function pauseWebhooks(
  tx: Db,
  which: Partial<Pick<WebhookRow, "id" | "created_by">>,
  now: number,
): Promise<string[]> {
  const paused = await tx
    .updateTable("webhooks")
    .set({ paused_at: now })
    .where(({ and }) => and(which))
    .where("paused_at", "is", null)
    .returning(["id", "name"])
    .execute();
  for (const { id } of paused) await outboxStore.dropWaiting(tx, "webhook", String(id));
  return paused.map(({ name }) => name);
}

/**
 * Returns the name; `undefined` if the webhook is not paused. It then belongs to the administrator `by`, and its
 * summaries leave out earlier beers.
 */
export async function resumeWebhook(tx: Db, id: number, by: number, now: number): Promise<string | undefined> {
  const row = await tx
    .updateTable("webhooks")
    .set({
      created_by: by,
      paused_at: null,
      failures: 0,
      failing_since: null,
      last_beer_id: await findLastBeerId(tx),
      summarized_at: now,
    })
    .where("id", "=", id)
    .where("paused_at", "is not", null)
    .returning("name")
    .executeTakeFirst();
  return row?.name;
}

/** Omits paused webhooks. */
export async function listSubscribed(tx: Db, event: WebhookEvent): Promise<number[]> {
  const webhooks = await tx
    .selectFrom("webhooks")
    .innerJoin("webhook_events", "webhook_events.webhook_id", "webhooks.id")
    .select("webhooks.id")
    .where("webhook_events.event", "=", event)
    .where("webhooks.paused_at", "is", null)
    .execute();
  return webhooks.map(({ id }) => id);
}

/** Resets the failures. */
export async function updateSucceeded(db: Db, id: number): Promise<void> {
  await db
    .updateTable("webhooks")
    .set({ failures: 0, failing_since: null })
    .where("id", "=", id)
    .where("failures", ">", 0)
    .execute();
}

/** Returns the failures in a row; `undefined` if the webhook was deleted or is paused. */
export async function updateFailed(db: Db, id: number, now: number) {
  return db
    .updateTable("webhooks")
    .set(({ eb, fn, val }) => ({
      failures: eb("failures", "+", 1),
      failing_since: fn.coalesce("failing_since", val(now)),
    }))
    .where("id", "=", id)
    .where("paused_at", "is", null)
    .returning(["failures", "failing_since"])
    .executeTakeFirst();
}

/** Returns 0 without beers. */
export async function findLastBeerId(db: Db): Promise<number> {
  const row = await db.selectFrom("beers").select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
  return row?.id ?? 0;
}

/** Returns active webhooks with summaries of beers, whose last one was at or before `since` (epoch ms). */
export async function listSummaryWebhooks(db: Db, since: number) {
  return db
    .selectFrom("webhooks")
    .innerJoin("webhook_events", "webhook_events.webhook_id", "webhooks.id")
    .select(["webhooks.id", "webhooks.last_beer_id", "webhooks.summarized_at"])
    .where("webhook_events.event", "=", "beers")
    .where("webhooks.paused_at", "is", null)
    .where("summarized_at", "<=", since)
    .execute();
}

export type BeerRow = Pick<Selectable<Tables["beers"]>, "id" | "user_id" | "at" | "booked_at">;

/** Returns the beers in the order of their booking. */
export async function listBeersAfter(db: Db, afterId: number, limit: number): Promise<BeerRow[]> {
  return db
    .selectFrom("beers")
    .select(["id", "user_id", "at", "booked_at"])
    .where("id", ">", afterId)
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Returns `false` if another instance has recorded a summary first. */
export async function updateSummary(
  tx: Db,
  { id, last_beer_id }: { readonly id: number; readonly last_beer_id: number },
  next: { readonly last_beer_id: number; readonly summarized_at: number },
): Promise<boolean> {
  return exists(
    tx.updateTable("webhooks").set(next).where("id", "=", id).where("last_beer_id", "=", last_beer_id).returning("id"),
  );
}

/** Omits disabled members and those who are not visible. */
export async function listShownNames(db: Db, userIds: readonly number[]): Promise<Map<number, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("users")
    .select(["id", "name"])
    .where("id", "in", userIds)
    .where("visibility", "in", shownWith.webhooks)
    .where("disabled_at", "is", null)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
