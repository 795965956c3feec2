import { sql } from "kysely";

import type { Db } from "#server/db/connect.ts";
import { databaseTime } from "#server/db/postgres-status.ts";

/** `message` is a `BusMessage` as JSON. */
export interface StoredMessage {
  readonly id: number;
  readonly transaction_id: number;
  readonly instance: string;
  readonly message: string;
  readonly excludes_sender: number;
}

export async function createMessages(
  tx: Db,
  messages: readonly string[],
  { instance, excludesSender }: { instance: string; excludesSender: boolean },
): Promise<StoredMessage[]> {
  return tx
    .insertInto("bus_messages")
    .values(messages.map((message) => ({ instance, message, excludes_sender: Number(excludesSender) })))
    .returning(["id", "transaction_id", "instance", "message", "excludes_sender"])
    .execute();
}

/**
 * Returns the messages of all transactions from `since` on. `horizon` is the oldest transaction that was still running:
 * this read sees all messages of earlier ones, so the next read begins there.
 */
export async function listMessages(
  db: Db,
  since: number | null,
): Promise<{ messages: StoredMessage[]; horizon: number }> {
  // One statement, so that the messages and the horizon are of the same snapshot.
  const { rows } = await sql<(StoredMessage | { id: null }) & { horizon: number }>`
    select now.horizon, id, transaction_id, instance, message, excludes_sender
    from (select txid_snapshot_xmin(txid_current_snapshot()) as horizon) as now
    left join bus_messages on transaction_id >= coalesce(${since}::bigint, now.horizon)
    order by id`.execute(db);
  return { messages: rows.filter((row) => row.id !== null), horizon: rows[0]!.horizon };
}

/** `maxAge` is in milliseconds. */
export async function deleteMessages(db: Db, maxAge: number): Promise<void> {
  const oldest = sql<number>`${databaseTime} - ${maxAge}`;
  await db.deleteFrom("bus_messages").where("sent_at", "<", oldest).execute();
}

/** Returns the id of the request. */
export async function createSocketEnd(tx: Db, userId: number): Promise<number> {
  const { id } = await tx
    .insertInto("socket_ends")
    .values({ user_id: userId })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function listSocketEnds(db: Db): Promise<{ id: number; user_id: number }[]> {
  return db.selectFrom("socket_ends").selectAll().orderBy("id").execute();
}

export async function deleteSocketEnds(db: Db, ids: readonly number[]): Promise<void> {
  await db.deleteFrom("socket_ends").where("id", "in", ids).execute();
}

export async function notifyChannel(db: Db, channel: string, payload: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${payload})`.execute(db);
}
