import { sql } from "kysely";

import { shownWith } from "#contract/visibility.ts";
import type { Db } from "#server/db/connect.ts";
import { exists } from "#server/db/exists.ts";
import type { Tables } from "#server/db/schema.ts";
import * as memberStore from "#server/features/members/store.ts";

/** Blocks filling, swapping and dealing the doors of a year until the transaction ends. */
export async function lockAssignments(tx: Db, year: number): Promise<void> {
  await tx
    .updateTable("calendar_assignments")
    .set(({ ref }) => ({ user_id: ref("user_id") }))
    .where("date", "like", `${year}-%`)
    .execute();
}

type NewDealing = Omit<Tables["calendar_dealings"], "id" | "is_announced"> & { readonly is_announced: number };

export async function createDealing(tx: Db, dealing: NewDealing): Promise<number> {
  const { id } = await tx.insertInto("calendar_dealings").values(dealing).returning("id").executeTakeFirstOrThrow();
  return id;
}

export async function findPreview(tx: Db, where: { readonly id: number } | { readonly year: number }) {
  const [[column, value]] = Object.entries(where) as [["id" | "year", number]];
  return tx
    .selectFrom("calendar_dealings")
    .select(["id", "year", "seed", "inputs"])
    .where(column, "=", value)
    .where("dealt_at", "is", null)
    .executeTakeFirst();
}

export async function deletePreviews(tx: Db, year: number): Promise<void> {
  await tx.deleteFrom("calendar_dealings").where("year", "=", year).where("dealt_at", "is", null).execute();
}

export async function updateDealtAt(tx: Db, id: number, dealt_at: number): Promise<void> {
  await tx.updateTable("calendar_dealings").set({ dealt_at }).where("id", "=", id).execute();
}

export async function listDealings(db: Db, year: number) {
  return db
    .selectFrom("calendar_dealings")
    .select(["seed", "inputs", "reason", "dealt_at"])
    .where("year", "=", year)
    .where("dealt_at", "is not", null)
    .orderBy("id", "desc")
    .execute();
}

/** Marks the returned dealings as announced, so that only one instance gets each. */
export async function takeUnannouncedDealings(db: Db): Promise<{ id: number; seed: string; inputs: string }[]> {
  return db
    .updateTable("calendar_dealings")
    .set({ is_announced: 1 })
    .where("is_announced", "=", 0)
    .where("dealt_at", "is not", null)
    .returning(["id", "seed", "inputs"])
    .execute();
}

/** Returns days after today, in order. */
export async function listEmptyDoorsOf(db: Db, userId: number, today: string): Promise<string[]> {
  const rows = await db
    .selectFrom("calendar_assignments as door")
    .leftJoin("calendar_pictures as picture", "picture.date", "door.date")
    .select("door.date")
    .where("door.user_id", "=", userId)
    .where("door.date", ">", today)
    .where("picture.id", "is", null)
    .orderBy("door.date")
    .execute();
  return rows.map(({ date }) => date);
}

export async function deleteAssignments(tx: Db, dates: readonly string[]): Promise<void> {
  if (dates.length > 0) await tx.deleteFrom("calendar_assignments").where("date", "in", dates).execute();
}

/** Ignores today's doors and disabled owners. */
export async function listUntoldDoors(db: Db, today: string): Promise<{ date: string; user_id: number }[]> {
  return db
    .selectFrom("calendar_assignments as door")
    .innerJoin("users", "users.id", "door.user_id")
    .select(["door.date", "door.user_id"])
    .where("door.is_told", "=", 0)
    .where("door.date", ">", today)
    .where("users.disabled_at", "is", null)
    .orderBy("door.date")
    .execute();
}

/**
 * Records that the member was told of these doors; `reminders` count as sent. Returns `false` if all of them were
 * recorded earlier.
 */
export async function updateTold(
  db: Db,
  userId: number,
  doors: readonly { readonly date: string; readonly reminders: number }[],
): Promise<boolean> {
  let isNew = false;
  for (const { date, reminders } of doors) {
    const row = db
      .updateTable("calendar_assignments")
      .set({ is_told: 1, reminders })
      .where("date", "=", date)
      .where("user_id", "=", userId)
      .where("is_told", "=", 0)
      .returning("date");
    if (await exists(row)) isNew = true;
  }
  return isNew;
}

/** Marks the doors as told, too, because a door that was seen needs no push. */
export async function updateSeen(db: Db, userId: number): Promise<void> {
  await db
    .updateTable("calendar_assignments")
    .set({ is_seen: 1, is_told: 1 })
    .where("user_id", "=", userId)
    .where("is_seen", "=", 0)
    .execute();
}

export async function listMembersWithoutDoor(db: Db, year: number) {
  return db
    .selectFrom("users")
    .select(memberStore.listedMember)
    .where("disabled_at", "is", null)
    .where("visibility", "in", shownWith.lottery)
    .where("id", "not in", (holders) =>
      holders.selectFrom("calendar_assignments").select("user_id").where("date", "like", `${year}-%`),
    )
    .orderBy("id")
    .execute();
}

export async function listPeople(db: Db, ids: readonly number[]) {
  if (ids.length === 0) return [];
  return db.selectFrom("users").select(memberStore.listedMember).where("id", "in", ids).execute();
}

/** Omits disabled and hidden members, and those without a door after today. */
export async function listSwapPartners(db: Db, userId: number, today: string) {
  return db
    .selectFrom("users")
    .select(memberStore.listedMember)
    .where("id", "!=", userId)
    .where("disabled_at", "is", null)
    .where("visibility", "in", shownWith.lottery)
    .where("id", "in", (owners) =>
      owners.selectFrom("calendar_assignments").select("user_id").where("date", ">", today),
    )
    .orderBy("name")
    .orderBy("id")
    .execute();
}

/** Replaces earlier offers of the same door. */
export async function createSwap(tx: Db, swap: Omit<Tables["calendar_swaps"], "id">): Promise<number> {
  await tx.deleteFrom("calendar_swaps").where("date", "=", swap.date).execute();
  const { id } = await tx.insertInto("calendar_swaps").values(swap).returning("id").executeTakeFirstOrThrow();
  return id;
}

/**
 * Returns offers that this member made or received. An offer ends if its door's day begins, the door's picture or owner
 * changes, or one of the two members is disabled or hidden.
 */
export async function listOpenSwaps(db: Db, userId: number, today: string) {
  return db
    .selectFrom("calendar_swaps as swap")
    .innerJoin("calendar_assignments as door", (join) =>
      join.onRef("door.date", "=", "swap.date").onRef("door.user_id", "=", "swap.from_id"),
    )
    .leftJoin("calendar_pictures as picture", "picture.date", "swap.date")
    .innerJoin("users as giver", "giver.id", "swap.from_id")
    .innerJoin("users as taker", "taker.id", "swap.to_id")
    .select(["swap.id", "swap.date", "swap.from_id", "swap.to_id"])
    .select(["giver.name as from_name", "giver.avatar_id as from_avatar"])
    .select(["taker.name as to_name", "taker.avatar_id as to_avatar"])
    .where(({ or, eb }) => or([eb("swap.from_id", "=", userId), eb("swap.to_id", "=", userId)]))
    .where("swap.date", ">", today)
    .where(({ eb, ref }) =>
      eb(sql`coalesce(${ref("picture.id")}, '')`, "=", sql`coalesce(${ref("swap.picture_id")}, '')`),
    )
    .where("giver.disabled_at", "is", null)
    .where("taker.disabled_at", "is", null)
    .where("giver.visibility", "in", shownWith.lottery)
    .where("taker.visibility", "in", shownWith.lottery)
    .where("swap.to_id", "in", (owners) =>
      owners.selectFrom("calendar_assignments").select("user_id").where("date", ">", today),
    )
    .orderBy("swap.id")
    .execute();
}

/** Returns `false` if it does not exist. */
export async function deleteSwap(tx: Db, id: number): Promise<boolean> {
  return exists(tx.deleteFrom("calendar_swaps").where("id", "=", id).returning("id"));
}

/** Deletes the offers of doors whose day has begun. */
export async function deleteSwapsUntil(db: Db, today: string): Promise<void> {
  await db.deleteFrom("calendar_swaps").where("date", "<=", today).execute();
}

/** Deletes the offers of swapped doors and marks the doors as told and seen. */
export async function settleSwapped(tx: Db, doors: readonly { date: string; reminders: number }[]): Promise<void> {
  for (const { date, reminders } of doors) {
    await tx.deleteFrom("calendar_swaps").where("date", "=", date).execute();
    await tx
      .updateTable("calendar_assignments")
      .set({ is_told: 1, is_seen: 1, reminders, shown_reminders: reminders })
      .where("date", "=", date)
      .execute();
  }
}

/** Includes ended offers that were not answered. */
export async function listSwapsOf(db: Db, userId: number) {
  return db
    .selectFrom("calendar_swaps")
    .select(["date", "from_id"])
    .where(({ or, eb }) => or([eb("from_id", "=", userId), eb("to_id", "=", userId)]))
    .orderBy("id")
    .execute();
}
