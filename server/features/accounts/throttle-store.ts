import type { Db } from "#server/db/connect.ts";
import { deviceLifetimeMs } from "#server/platform/http/session-cookies.ts";

export interface FailureCounter {
  readonly table: "users" | "known_devices" | "sessions";
  readonly id: number | string;
  /** Only for `known_devices`, where a device has a row for each of its members. */
  readonly userId?: number;
}

function updateCounter(db: Db, { table, id, userId }: FailureCounter) {
  return db
    .updateTable(table)
    .where("id", "=", id)
    .$if(userId !== undefined, (query) => query.where("user_id", "=", userId!));
}

/** Returns the failures in a row; 0 if attempts are already paused or the row was deleted. */
export async function incrementFailures(tx: Db, counter: FailureCounter, now: number): Promise<number> {
  const row = await updateCounter(tx, counter)
    .set(({ eb }) => ({ failed_logins: eb("failed_logins", "+", 1) }))
    .where("locked_until", "<=", now)
    .returning("failed_logins")
    .executeTakeFirst();
  return row?.failed_logins ?? 0;
}

/** `until` is a monotonic time. */
export async function updateLockedUntil(db: Db, counter: FailureCounter, until: number): Promise<void> {
  await updateCounter(db, counter).set({ locked_until: until }).execute();
}

export async function clearFailures(db: Db, counter: FailureCounter): Promise<void> {
  await updateCounter(db, counter).set({ failed_logins: 0, locked_until: 0 }).where("failed_logins", ">", 0).execute();
}

/** Returns a monotonic time; 0 without a pause. */
export async function findLockedUntil(db: Db, { table, id, userId }: FailureCounter): Promise<number> {
  const row = await db
    .selectFrom(table)
    .select("locked_until")
    .where("id", "=", id)
    .$if(userId !== undefined, (query) => query.where("user_id", "=", userId!))
    .executeTakeFirst();
  return row?.locked_until ?? 0;
}

export async function listKnownDevices(db: Db, id: string, now: number) {
  return db
    .selectFrom("known_devices")
    .select(["user_id", "locked_until"])
    .where("id", "=", id)
    .where("last_login_at", ">", now - deviceLifetimeMs)
    .execute();
}

export async function upsertKnownDevice(db: Db, id: string, userId: number, now: number): Promise<void> {
  await db
    .insertInto("known_devices")
    .values({ id, user_id: userId, last_login_at: now })
    .onConflict((conflict) => conflict.columns(["id", "user_id"]).doUpdateSet({ last_login_at: now }))
    .execute();
}

export async function deleteOldestKnownDevices(db: Db, userId: number, id: string, others: number): Promise<void> {
  await db
    .deleteFrom("known_devices")
    .where("user_id", "=", userId)
    .where("id", "!=", id)
    .where("id", "not in", (newest) =>
      newest
        .selectFrom("known_devices")
        .select("id")
        .where("user_id", "=", userId)
        .where("id", "!=", id)
        .orderBy("last_login_at", "desc")
        .orderBy("id")
        .limit(others),
    )
    .execute();
}

export async function deleteKnownDevices(db: Db, userId: number, exceptId: string | null): Promise<void> {
  await db
    .deleteFrom("known_devices")
    .where("user_id", "=", userId)
    .$if(exceptId !== null, (query) => query.where("id", "!=", exceptId!))
    .execute();
}

export async function deleteExpiredKnownDevices(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom("known_devices")
    .where("last_login_at", "<=", now - deviceLifetimeMs)
    .execute();
}

export async function listOwnKnownDevices(db: Db, userId: number) {
  return db
    .selectFrom("known_devices")
    .select("last_login_at")
    .where("user_id", "=", userId)
    .orderBy("last_login_at")
    .execute();
}
