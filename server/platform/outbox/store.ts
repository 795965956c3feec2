import { type Insertable, type Selectable, type SelectQueryBuilder, sql } from "kysely";

import type { Db } from "#server/db/connect.ts";
import { exists } from "#server/db/exists.ts";
import { databaseTime, isPostgres } from "#server/db/postgres-status.ts";
import type { Tables } from "#server/db/schema.ts";

export type OutboxRow = Selectable<Tables["outbox"]>;
export type MessageKind = OutboxRow["kind"];

/** The databases limit the parameters of a statement. */
const rowsPerInsert = 500;

/** Replaces the waiting messages with the same receiver and tag. */
export async function createMessages(tx: Db, rows: readonly Insertable<Tables["outbox"]>[]): Promise<void> {
  for (let start = 0; start < rows.length; start += rowsPerInsert) {
    const chunk = rows.slice(start, start + rowsPerInsert);
    for (const [tag, tagged] of Map.groupBy(chunk, (row) => row.tag ?? null)) {
      if (tag === null) continue;
      const receivers = tagged.map(({ receiver }) => receiver);
      const replaced = tx
        .selectFrom("outbox")
        .select("id")
        .where("kind", "=", tagged[0]!.kind)
        .where("state", "=", "waiting")
        .where("tag", "=", tag)
        .where("receiver", "in", receivers);
      await tx.deleteFrom("outbox").where("id", "in", inOrder(tx, replaced)).execute();
    }
    await tx.insertInto("outbox").values(chunk).execute();
  }
}

/** In the order of ids, so that two instances that delete some of the same rows cannot deadlock. */
function inOrder(db: Db, rows: SelectQueryBuilder<Tables, "outbox", { id: number }>) {
  return rows.$if(isPostgres(db), (locking) => locking.orderBy("id").forUpdate());
}

export async function listDueKinds(db: Db, now: number): Promise<MessageKind[]> {
  const rows = await db
    .selectFrom("outbox")
    .select("kind")
    .distinct()
    .where("state", "=", "waiting")
    .where("due_at", "<=", now)
    .execute();
  return rows.map(({ kind }) => kind);
}

export interface Claim {
  readonly kind: MessageKind;
  /** Epoch ms by the clock of this instance. */
  readonly now: number;
  /** Other instances may claim the messages after this time. */
  readonly claimMs: number;
  readonly limit: number;
}

/**
 * Claims at most `limit` due messages, the longest due first, and at most one of each receiver. Claims are compared by
 * the clock of the database, because the clocks of instances differ. PostgreSQL may run a subselect several times and
 * then claims more than `limit`, so the due messages are a materialized expression.
 */
export async function claimMessages(db: Db, { kind, now, claimMs, limit }: Claim): Promise<OutboxRow[]> {
  if (!(await isAnyDue(db, kind, now))) return [];
  const claimTime = isPostgres(db) ? databaseTime : sql<number>`${now}`;
  const isFree = sql<boolean>`(one.claimed_until is null or one.claimed_until <= ${claimTime})`;
  const isBehind = sql<boolean>`(other.claimed_until > ${claimTime} or
    (other.due_at <= ${now} and (other.due_at < one.due_at or other.due_at = one.due_at and other.id < one.id)))`;
  const rows = await db
    .with(
      (due) => due("due").materialized(),
      (query) =>
        query
          .selectFrom("outbox as one")
          .select("one.id")
          .where("one.kind", "=", kind)
          .where("one.state", "=", "waiting")
          .where("one.due_at", "<=", now)
          .where(isFree)
          .where(({ not, exists: isAny, selectFrom }) =>
            not(
              isAny(
                selectFrom("outbox as other")
                  .select("other.id")
                  .where("other.kind", "=", kind)
                  .whereRef("other.receiver", "=", "one.receiver")
                  .where("other.state", "=", "waiting")
                  .whereRef("other.id", "!=", "one.id")
                  .where(isBehind),
              ),
            ),
          )
          .orderBy("one.due_at")
          .orderBy("one.id")
          .limit(limit)
          .$if(isPostgres(db), (locking) => locking.forUpdate().skipLocked()),
    )
    .updateTable("outbox")
    .set({ claimed_until: sql`${claimTime} + ${claimMs}` })
    .where("id", "in", (due) => due.selectFrom("due").select("due.id"))
    .returningAll()
    .execute();
  return (rows as OutboxRow[]).toSorted((one, other) => one.due_at - other.due_at || one.id - other.id);
}

export type Change = Partial<Pick<OutboxRow, "due_at" | "claimed_until" | "attempts" | "state" | "answer">>;

export async function updateMessage(db: Db, id: number, change: Change): Promise<void> {
  await db.updateTable("outbox").set(change).where("id", "=", id).execute();
}

export async function deleteMessages(db: Db, ids: readonly number[]): Promise<void> {
  const done = db.selectFrom("outbox").select("id").where("id", "in", ids);
  await db.deleteFrom("outbox").where("id", "in", inOrder(db, done)).execute();
}

/** The history remains. */
export async function dropWaiting(tx: Db, kind: MessageKind, receiver: string): Promise<void> {
  await tx
    .updateTable("outbox")
    .set({ state: "dropped" })
    .where("kind", "=", kind)
    .where("receiver", "=", receiver)
    .where("state", "=", "waiting")
    .execute();
}

export async function deleteMessagesTo(tx: Db, kind: MessageKind, receiver: string): Promise<void> {
  await tx.deleteFrom("outbox").where("kind", "=", kind).where("receiver", "=", receiver).execute();
}

/** Newest first, also delivered and dropped ones. */
export async function listMessagesTo(db: Db, kind: MessageKind, receiver: string, limit: number): Promise<OutboxRow[]> {
  return db
    .selectFrom("outbox")
    .selectAll()
    .where("kind", "=", kind)
    .where("receiver", "=", receiver)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(limit)
    .execute();
}

export async function countWaiting(db: Db, kind: MessageKind): Promise<number> {
  const { messages } = await db
    .selectFrom("outbox")
    .select(({ fn }) => fn.countAll<number>().as("messages"))
    .where("kind", "=", kind)
    .where("state", "=", "waiting")
    .executeTakeFirstOrThrow();
  return Number(messages);
}

/** `since`: epoch ms. */
export async function deleteOldMessages(db: Db, since: number): Promise<void> {
  await db.deleteFrom("outbox").where("state", "!=", "waiting").where("created_at", "<", since).execute();
}

/** Reads only, because SQLite lets a write wait for other processes. */
export async function isAnyDue(db: Db, kind: MessageKind, now: number): Promise<boolean> {
  return exists(
    db
      .selectFrom("outbox")
      .select("id")
      .where("state", "=", "waiting")
      .where("kind", "=", kind)
      .where("due_at", "<=", now)
      .limit(1),
  );
}
