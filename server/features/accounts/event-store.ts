import type { Insertable } from "kysely";

import type { Db } from "#server/db/connect.ts";
import type { Tables } from "#server/db/schema.ts";

export async function createAccountEvent(
  tx: Db,
  event: Omit<Insertable<Tables["account_events"]>, "id">,
): Promise<void> {
  await tx.insertInto("account_events").values(event).execute();
}

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

export async function deleteOldAccountEvents(db: Db, before: number): Promise<void> {
  await db.deleteFrom("account_events").where("at", "<", before).execute();
}
