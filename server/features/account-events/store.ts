import type { Insertable } from "kysely";

import type { Db } from "#server/db/connect.ts";
import type { Tables } from "#server/db/tables.ts";

/** Call it in the transaction of the change itself. */
export async function createAccountEvent(
  tx: Db,
  event: Omit<Insertable<Tables["account_events"]>, "id">,
): Promise<void> {
  await tx.insertInto("account_events").values(event).execute();
}

/** A member's newest `limit` events with ids below `before`. */
export async function listAccountEvents(db: Db, userId: number, before: number, limit: number) {
  return db
    .selectFrom("account_events")
    .select(["id", "at", "kind", "device"])
    .where("user_id", "=", userId)
    .where("id", "<", before)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

/** Those before this time, in epoch ms. */
export async function deleteOldAccountEvents(db: Db, before: number): Promise<void> {
  await db.deleteFrom("account_events").where("at", "<", before).execute();
}
