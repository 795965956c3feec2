import type { Db } from "#server/db/connect.ts";
import { deviceLifetimeMs } from "#server/platform/http/session-cookies.ts";

/** Reference to the row that counts consecutive wrong passwords. */
export interface FailureCounter {
  readonly table: "users" | "known_devices" | "sessions";
  readonly id: number | string;
  /** Id of the member, only in `known_devices`, where a device has a row for each of its members. */
  readonly userId?: number;
}

/** Creates an update query for the row of a failure counter. */
function updateCounter(db: Db, { table, id, userId }: FailureCounter) {
  return db
    .updateTable(table)
    .where("id", "=", id)
    .$if(userId !== undefined, (query) => query.where("user_id", "=", userId!));
}

/**
 * Counts a wrong password and returns the number of wrong passwords in a row. Returns 0 if attempts are already paused
 * or the row was deleted.
 */
export async function incrementFailures(tx: Db, counter: FailureCounter, now: number): Promise<number> {
  const row = await updateCounter(tx, counter)
    .set(({ eb }) => ({ failed_logins: eb("failed_logins", "+", 1) }))
    .where("locked_until", "<=", now)
    .returning("failed_logins")
    .executeTakeFirst();
  return row?.failed_logins ?? 0;
}

/** Pauses the password attempts of this counter's source until `until` (monotonic clock, milliseconds). */
export async function updateLockedUntil(db: Db, counter: FailureCounter, until: number): Promise<void> {
  await updateCounter(db, counter).set({ locked_until: until }).execute();
}

export async function clearFailures(db: Db, counter: FailureCounter): Promise<void> {
  await updateCounter(db, counter).set({ failed_logins: 0, locked_until: 0 }).where("failed_logins", ">", 0).execute();
}

/** Returns the time (monotonic clock, milliseconds) until which password attempts are paused; 0 without a pause. */
export async function findLockedUntil(db: Db, { table, id, userId }: FailureCounter): Promise<number> {
  const row = await db
    .selectFrom(table)
    .select("locked_until")
    .where("id", "=", id)
    .$if(userId !== undefined, (query) => query.where("user_id", "=", userId!))
    .executeTakeFirst();
  return row?.locked_until ?? 0;
}

/** Returns the members for whom the device with this id is known. */
export async function listKnownDevices(db: Db, id: string, now: number) {
  return db
    .selectFrom("known_devices")
    .select(["user_id", "locked_until"])
    .where("id", "=", id)
    .where("last_login_at", ">", now - deviceLifetimeMs)
    .execute();
}

/** Makes a device known for a member, or updates the time of its last login. */
export async function upsertKnownDevice(db: Db, id: string, userId: number, now: number): Promise<void> {
  await db
    .insertInto("known_devices")
    .values({ id, user_id: userId, last_login_at: now })
    .onConflict((conflict) => conflict.columns(["id", "user_id"]).doUpdateSet({ last_login_at: now }))
    .execute();
}

/** Deletes a member's known devices except the device `id` and the `others` most recently used ones. */
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

/** Deletes a member's known devices, except the device `exceptId` if it is not `null`. */
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
