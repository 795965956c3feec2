import { type Insertable, sql, type Updateable } from "kysely";

import type { calendarPictureWidths } from "#contract/christmas-calendar.ts";
import { bytesIn, sizeOf, type StoredFile } from "#server/db/bytes.ts";
import type { Db } from "#server/db/connect.ts";
import { exists } from "#server/db/exists.ts";
import type { Tables } from "#server/db/schema.ts";
import type { DoorCount } from "./rules.ts";

export type PictureSize = keyof typeof calendarPictureWidths;

export interface Door {
  readonly date: string;
  /** Picture id; `null` if the door is empty. */
  readonly id: string | null;
  /** `true` if the requesting member has opened the door. */
  readonly isOpen: boolean;
  /**
   * Name of the member who filled the door; `null` also if that member hides the name, is disabled
   * or paused.
   */
  readonly by: string | null;
  /**
   * Name of the member whose door is still empty; `null` also if that member hides the name, is
   * hidden in the presence list, disabled or paused.
   */
  readonly late: string | null;
  /** Text that the door's member has written below the picture. */
  readonly text: string | null;
  /** Number of members who have opened the door, without disabled and deleted accounts. */
  readonly opened: number;
  readonly members: number;
}

/**
 * Lists the doors that have a picture, a member or an opening, in order of date; `days` is an SQL
 * pattern like `2026-%`. All reads in this file ignore openings of future days, which exist if the
 * clock was ahead.
 */
export async function listDoors(db: Db, userId: number, days: string, today: string): Promise<Door[]> {
  const rows = await db
    .selectFrom(({ selectFrom }) =>
      selectFrom("calendar_pictures")
        .select("date")
        .where("date", "like", days)
        .union(selectFrom("calendar_assignments").select("date").where("date", "like", days))
        .union(selectFrom("calendar_openings").select("date").where("date", "like", days).where("date", "<=", today))
        .as("door"),
    )
    .leftJoin("calendar_pictures as picture", "picture.date", "door.date")
    .leftJoin("calendar_openings as own", (join) =>
      join.onRef("own.date", "=", "door.date").on("own.user_id", "=", userId).on("own.date", "<=", today),
    )
    .leftJoin("calendar_assignments as assignment", "assignment.date", "door.date")
    .leftJoin("users as owner", (join) =>
      join
        .onRef("owner.id", "=", "assignment.user_id")
        .on("assignment.is_hidden", "=", 0)
        .on("owner.disabled_at", "is", null)
        .on("owner.is_paused", "=", 0),
    )
    .leftJoin(
      ({ selectFrom }) =>
        selectFrom("calendar_openings as opening")
          .innerJoin("users", "users.id", "opening.user_id")
          .select(["opening.date", countRows.as("opened")])
          .where("users.disabled_at", "is", null)
          .where("opening.date", "like", days)
          .where("opening.date", "<=", today)
          .groupBy("opening.date")
          .as("count"),
      (join) => join.onRef("count.date", "=", "door.date"),
    )
    .select(["door.date", "picture.id", "own.opened_at", "assignment.text", "count.opened"])
    .select(["owner.name", "owner.is_shown"])
    .select(({ selectFrom }) =>
      selectFrom("users").select(countRows.as("members")).where("disabled_at", "is", null).as("members"),
    )
    .orderBy("door.date")
    .execute();
  return rows.map(({ opened_at, opened, members, name, is_shown, ...row }) => ({
    ...row,
    by: row.id === null ? null : name,
    late: row.id === null && is_shown === 1 ? name : null,
    isOpen: opened_at !== null,
    opened: opened ?? 0,
    members: members ?? 0,
  }));
}

const countRows = sql<number>`cast(count(*) as integer)`;

/** Lists the assigned doors of a year in order, with the ids of their pictures. */
export async function listAssignments(db: Db, year: number) {
  return db
    .selectFrom("calendar_assignments as assignment")
    .innerJoin("users as owner", "owner.id", "assignment.user_id")
    .leftJoin("calendar_pictures as picture", "picture.date", "assignment.date")
    .select(["assignment.date", "assignment.user_id", "assignment.reminders", "picture.id"])
    .select(["assignment.text", "assignment.is_hidden"])
    .select(["owner.name", "owner.avatar_id", "owner.disabled_at", "owner.is_paused"])
    .where("assignment.date", "like", `${year}-%`)
    .orderBy("assignment.date")
    .execute();
}

/** Lists all members who are not disabled, with the number of doors assigned to them in a year. */
export async function countDoorsByMember(db: Db, year: number): Promise<DoorCount[]> {
  return db
    .selectFrom("users")
    .leftJoin("calendar_assignments as assignment", (join) =>
      join.onRef("assignment.user_id", "=", "users.id").on("assignment.date", "like", `${year}-%`),
    )
    .select(["users.id as userId", sql<number>`cast(count(assignment.date) as integer)`.as("doors")])
    .where("users.disabled_at", "is", null)
    .groupBy("users.id")
    .orderBy("users.id")
    .execute();
}

/** Assigns each of these days to a member, and replaces earlier assignments. */
export async function replaceAssignments(
  tx: Db,
  assignments: readonly Insertable<Tables["calendar_assignments"]>[],
): Promise<void> {
  const days = assignments.map(({ date }) => date);
  if (days.length === 0) return;
  await tx.deleteFrom("calendar_assignments").where("date", "in", days).execute();
  await tx.insertInto("calendar_assignments").values(assignments).execute();
}

/**
 * Removes the assignment of a door, unless the door belongs to `keeper`; returns the id of its
 * former member.
 */
export async function deleteAssignment(db: Db, date: string, keeper: number | null): Promise<number | undefined> {
  const row = await db
    .deleteFrom("calendar_assignments")
    .where("date", "=", date)
    .where("user_id", "!=", keeper ?? 0)
    .returning("user_id")
    .executeTakeFirst();
  return row?.user_id;
}

/**
 * Records that a member was reminded `reminders` times of an empty door, by push or in the app.
 * Returns `false` if already recorded, or if the door has a picture.
 */
export async function updateReminders(
  db: Db,
  { date, userId, reminders }: { date: string; userId: number; reminders: number },
  column: "reminders" | "shown_reminders",
): Promise<boolean> {
  return exists(
    db
      .updateTable("calendar_assignments")
      .set({ [column]: reminders })
      .where("date", "=", date)
      .where("user_id", "=", userId)
      .where(column, "<", reminders)
      .where("date", "not in", (filled) => filled.selectFrom("calendar_pictures").select("calendar_pictures.date"))
      .returning("date"),
  );
}

/**
 * Locks a member's own door until the transaction ends; returns `false` if the door is not assigned
 * to the member.
 */
export async function lockAssignment(tx: Db, date: string, userId: number): Promise<boolean> {
  return exists(
    tx
      .updateTable("calendar_assignments")
      .set({ user_id: userId })
      .where("date", "=", date)
      .where("user_id", "=", userId)
      .returning("date"),
  );
}

/** Changes the text below a member's picture, or hides the member's name. */
export async function updateOwnDoor(
  tx: Db,
  date: string,
  changes: Updateable<Pick<Tables["calendar_assignments"], "text" | "is_hidden">>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await tx.updateTable("calendar_assignments").set(changes).where("date", "=", date).execute();
}

/** Lists the years up to and including `last` that have pictures or assignments, newest first. */
export async function listYears(db: Db, last: number): Promise<number[]> {
  const year = sql<string>`substr(date, 1, 4)`;
  const rows = await db
    .selectFrom("calendar_pictures")
    .select(year.as("year"))
    .union(db.selectFrom("calendar_assignments").select(year.as("year")))
    .execute();
  return rows
    .map((row) => Number(row.year))
    .filter((one) => one <= last)
    .toSorted((one, other) => other - one);
}

/** Returns `true` if the year has a picture or an assignment; such a year has all 24 doors. */
export async function hasDoors(db: Db, year: string): Promise<boolean> {
  const days = `${year}-%`;
  const assigned = db.selectFrom("calendar_assignments").select("date").where("date", "like", days);
  return exists(db.selectFrom("calendar_pictures").select("date").where("date", "like", days).union(assigned).limit(1));
}

export async function findPictureId(db: Db, date: string): Promise<string | undefined> {
  const row = await db.selectFrom("calendar_pictures").select("id").where("date", "=", date).executeTakeFirst();
  return row?.id;
}

/** Opens a door for a member; returns `false` if the member has already opened it. */
export async function createOpening(db: Db, opening: Tables["calendar_openings"]): Promise<boolean> {
  return exists(
    db
      .insertInto("calendar_openings")
      .values(opening)
      .onConflict((conflict) => conflict.columns(["user_id", "date"]).doNothing())
      .returning("date"),
  );
}

export async function hasOpening(db: Db, userId: number, date: string): Promise<boolean> {
  return exists(
    db.selectFrom("calendar_openings").select("date").where("user_id", "=", userId).where("date", "=", date),
  );
}

/** Returns `true` if no other member has opened the door. */
export async function isOnlyOpening(tx: Db, { user_id, date }: Tables["calendar_openings"]): Promise<boolean> {
  const others = tx
    .selectFrom("calendar_openings")
    .select("date")
    .where("date", "=", date)
    .where("user_id", "!=", user_id);
  return !(await exists(others));
}

/** Returns a picture if this member has opened its door or is assigned to it. */
export async function findOpenedPicture(
  db: Db,
  id: string,
  userId: number,
  size: PictureSize,
  today: string,
): Promise<StoredFile | undefined> {
  const row = await db
    .selectFrom("calendar_pictures as picture")
    .leftJoin("calendar_openings as opening", (join) =>
      join
        .onRef("opening.date", "=", "picture.date")
        .on("opening.user_id", "=", userId)
        .on("opening.date", "<=", today),
    )
    .leftJoin("calendar_assignments as assignment", "assignment.date", "picture.date")
    .select(sizeOf(`picture.${size}`).as("size"))
    .where("picture.id", "=", id)
    .where(({ or, eb }) => or([eb("opening.user_id", "=", userId), eb("assignment.user_id", "=", userId)]))
    .executeTakeFirst();
  return row && toPictureFile(db, id, size, row.size);
}

/** Returns a picture in the size for phones; the caller checks that the member may see it. */
export async function findPhonePicture(db: Db, id: string): Promise<StoredFile | undefined> {
  const row = await db
    .selectFrom("calendar_pictures")
    .select(sizeOf("phone").as("size"))
    .where("id", "=", id)
    .executeTakeFirst();
  return row && toPictureFile(db, id, "phone", row.size);
}

function toPictureFile(db: Db, id: string, size: PictureSize, bytes: number): StoredFile {
  return {
    size: bytes,
    tag: `${id}-${size}`,
    read: async (range) => {
      const query = db.selectFrom("calendar_pictures").select(bytesIn(size, range).as("bytes")).where("id", "=", id);
      return Buffer.from((await query.executeTakeFirstOrThrow()).bytes);
    },
  };
}

/** Lists the pictures of a year, each with its id and the number of members who opened its door. */
export async function listPictures(
  db: Db,
  year: number,
  today: string,
): Promise<{ date: string; id: string; opened: number }[]> {
  return db
    .selectFrom("calendar_pictures as picture")
    .leftJoin("calendar_openings as opening", (join) =>
      join.onRef("opening.date", "=", "picture.date").on("opening.date", "<=", today),
    )
    .select(["picture.date", "picture.id", sql<number>`cast(count(opening.user_id) as integer)`.as("opened")])
    .where("picture.date", "like", `${year}-%`)
    .groupBy(["picture.date", "picture.id"])
    .execute();
}

export async function replacePicture(tx: Db, picture: Tables["calendar_pictures"]): Promise<void> {
  await tx.deleteFrom("calendar_pictures").where("date", "=", picture.date).execute();
  await tx.insertInto("calendar_pictures").values(picture).execute();
}

/**
 * Placeholder that the first of two swapped doors gets as its date during the swap, because dates
 * are unique.
 */
const swapPlaceholder = "aside";

/**
 * Swaps the assignments and the pictures of two doors, as far as they exist. `swapDoors`,
 * `replaceYear` and uploads by members change assignments before pictures, because another order
 * could cause a deadlock.
 */
export async function swapDoors(tx: Db, one: string, other: string): Promise<void> {
  for (const table of ["calendar_assignments", "calendar_pictures"] as const)
    for (const [from, to] of [
      [one, swapPlaceholder],
      [other, one],
      [swapPlaceholder, other],
    ] as const)
      await tx.updateTable(table).set({ date: to }).where("date", "=", from).execute();
}

/** Replaces the pictures of a year and deletes all its assignments. */
export async function replaceYear(
  tx: Db,
  year: number,
  pictures: readonly Tables["calendar_pictures"][],
): Promise<void> {
  await tx.deleteFrom("calendar_assignments").where("date", "like", `${year}-%`).execute();
  await tx.deleteFrom("calendar_pictures").where("date", "like", `${year}-%`).execute();
  // Inserts each picture separately, because all pictures would be too large for one statement.
  for (const picture of pictures) await tx.insertInto("calendar_pictures").values(picture).execute();
}

export async function listOwnOpenings(db: Db, userId: number, today: string) {
  return db
    .selectFrom("calendar_openings")
    .select(["date", "opened_at"])
    .where("user_id", "=", userId)
    .where("date", "<=", today)
    .orderBy("date")
    .execute();
}

/** Lists the doors assigned to a member, with the ids of their pictures. */
export async function listOwnAssignments(db: Db, userId: number) {
  return db
    .selectFrom("calendar_assignments as assignment")
    .leftJoin("calendar_pictures as picture", "picture.date", "assignment.date")
    .select(["assignment.date", "assignment.text", "assignment.is_hidden", "picture.id"])
    .select(["assignment.is_seen", "assignment.shown_reminders"])
    .where("assignment.user_id", "=", userId)
    .orderBy("assignment.date")
    .execute();
}
