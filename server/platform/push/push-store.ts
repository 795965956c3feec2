import type { Db } from "#server/db/connect.ts";
import { exists } from "#server/db/exists.ts";
import type { Tables } from "#server/db/schema.ts";
import type { PushJob } from "./job.ts";

/** A push in the queue. `failures` is the number of attempts that failed. */
export interface QueuedPush extends PushJob {
  readonly id: number;
  readonly failures: number;
}

/** Maximum rows of one statement, because the databases limit the parameters of a statement. */
const rowsPerInsert = 500;

/**
 * Adds pushes to the queue, and deletes those that they replace. They are due at `now` (epoch ms). A
 * replaced push that an instance is sending is not sent again.
 */
export async function createPushes(tx: Db, jobs: readonly PushJob[], now: number): Promise<void> {
  for (let start = 0; start < jobs.length; start += rowsPerInsert) {
    const chunk = jobs.slice(start, start + rowsPerInsert);
    for (const [tag, tagged] of Map.groupBy(chunk, (job) => job.tag)) {
      if (tag !== null) await deleteReplaced(tx, tag, tagged);
    }
    const rows = chunk.map(({ subscriptionId, payload, topic, tag, permission, expiresAt }) => ({
      subscription_id: subscriptionId,
      payload,
      topic,
      tag,
      permission,
      expires_at: expiresAt,
      due_at: now,
    }));
    await tx.insertInto("queued_pushes").values(rows).execute();
  }
}

async function deleteReplaced(tx: Db, tag: string, jobs: readonly PushJob[]): Promise<void> {
  const subscriptions = jobs.map(({ subscriptionId }) => subscriptionId);
  await tx.deleteFrom("queued_pushes").where("subscription_id", "in", subscriptions).where("tag", "=", tag).execute();
}

/** Returns `true` if a push is due. Reads only, because SQLite lets a write wait for other processes. */
async function isAnyDue(db: Db, { now }: PushClaim): Promise<boolean> {
  return exists(db.selectFrom("queued_pushes").select("id").where("due_at", "<=", now).limit(1));
}

/**
 * Reserves at most `limit` due pushes for this instance until `until` (epoch ms), and returns them,
 * the longest due first. Skips pushes that another instance is reserving.
 *
 * The due pushes are a materialized expression, because PostgreSQL may run a subselect several times
 * and then reserves more than `limit`.
 */
export async function claimPushes(db: Db, claim: PushClaim): Promise<QueuedPush[]> {
  if (!(await isAnyDue(db, claim))) return [];
  const { now, until, limit, isPostgres } = claim;
  const rows = await db
    .with(
      (due) => due("due").materialized(),
      (query) =>
        query
          .selectFrom("queued_pushes")
          .select("id")
          .where("due_at", "<=", now)
          .orderBy("due_at")
          .orderBy("id")
          .limit(limit)
          .$if(isPostgres, (locking) => locking.forUpdate().skipLocked()),
    )
    .updateTable("queued_pushes")
    .set({ due_at: until })
    .where("id", "in", (due) => due.selectFrom("due").select("due.id"))
    .returningAll()
    .execute();
  return rows.map(toQueuedPush).toSorted((one, other) => one.id - other.id);
}

export interface PushClaim {
  readonly now: number;
  readonly until: number;
  readonly limit: number;
  readonly isPostgres: boolean;
}

function toQueuedPush(row: { [Column in keyof Tables["queued_pushes"]]: unknown }): QueuedPush {
  const { id, subscription_id, payload, topic, tag, permission, expires_at, failures } = row;
  return {
    id: Number(id),
    subscriptionId: Number(subscription_id),
    payload: String(payload),
    topic: String(topic),
    tag: tag as QueuedPush["tag"],
    permission: permission as QueuedPush["permission"],
    expiresAt: Number(expires_at),
    failures: Number(failures),
  };
}

/** Postpones a push. `dueAt`: epoch ms of the next attempt. */
export async function postponePush(db: Db, id: number, dueAt: number, failures: number): Promise<void> {
  await db.updateTable("queued_pushes").set({ due_at: dueAt, failures }).where("id", "=", id).execute();
}

export async function deletePushes(db: Db, ids: readonly number[]): Promise<void> {
  await db.deleteFrom("queued_pushes").where("id", "in", ids).execute();
}

/** Counts the pushes that are not delivered yet. */
export async function countPushes(db: Db): Promise<number> {
  const { pushes } = await db
    .selectFrom("queued_pushes")
    .select(({ fn }) => fn.countAll<number>().as("pushes"))
    .executeTakeFirstOrThrow();
  return Number(pushes);
}
