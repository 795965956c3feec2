import type { Db } from "#server/db/connect.ts";
import type { Tap } from "#server/features/beers/actions.ts";
import type { Person } from "./rules.ts";

/** Includes disabled members, whose beers count, but no deleted accounts. */
export async function listPeople(db: Db): Promise<Person[]> {
  return db
    .selectFrom("users")
    .select(["id", "uname", "name"])
    .where("password_hash", "!=", "")
    .orderBy("name")
    .orderBy("id")
    .execute();
}

export async function listExisting(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom("users")
    .select("id")
    .where("id", "in", ids)
    .where("password_hash", "!=", "")
    .execute();
  return new Set(rows.map(({ id }) => id));
}

export async function createImport(db: Db, actorId: number | null, now: number): Promise<number> {
  const { id } = await db
    .insertInto("imports")
    .values({ actor_id: actorId, is_complete: 0, booked: 0, touched_at: now })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function createChunk(tx: Db, importId: number, taps: readonly Tap[]): Promise<void> {
  await tx
    .insertInto("import_chunks")
    .values({ import_id: importId, taps: JSON.stringify(taps) })
    .execute();
}

interface ImportChange {
  readonly booked?: number;
  readonly isComplete?: boolean;
}

/** Records that the import is running, and adds `booked` to the beers booked so far. */
export async function touchImport(tx: Db, id: number, now: number, { booked = 0, isComplete }: ImportChange = {}) {
  return tx
    .updateTable("imports")
    .set(({ eb }) => ({
      touched_at: now,
      booked: eb("booked", "+", booked),
      ...(isComplete === true && { is_complete: 1 }),
    }))
    .where("id", "=", id)
    .returning("booked")
    .executeTakeFirstOrThrow();
}

/** Deletes and returns the next chunk; `undefined` if there is none. */
export async function takeChunk(tx: Db, importId: number): Promise<Tap[] | undefined> {
  const row = await tx
    .deleteFrom("import_chunks")
    .where("id", "=", (eb) =>
      eb
        .selectFrom("import_chunks")
        .select(({ fn }) => fn.min("id").as("first"))
        .where("import_id", "=", importId),
    )
    .returning("taps")
    .executeTakeFirst();
  return row && (JSON.parse(row.taps) as Tap[]);
}

/** The chunks must be gone. Returns `undefined` if another process has already deleted the import. */
export async function deleteImport(tx: Db, id: number) {
  return tx.deleteFrom("imports").where("id", "=", id).returning(["booked", "actor_id"]).executeTakeFirst();
}

/** Lists the imports whose process has ended or stalled. */
export async function listAbandoned(db: Db, touchedBefore: number) {
  return db
    .selectFrom("imports")
    .select(["id", "is_complete", "touched_at"])
    .where("touched_at", "<", touchedBefore)
    .orderBy("id")
    .execute();
}
