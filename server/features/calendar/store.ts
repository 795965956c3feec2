import { type Insertable, sql, type Updateable } from "kysely";

import type { calendarPictureWidths } from "#contract/christmas-calendar.ts";
import { isShownWith, shownWith } from "#contract/visibility.ts";
import { bytesIn, sizeOf, type StoredFile } from "#server/db/bytes.ts";
import type { Db } from "#server/db/connect.ts";
import { exists } from "#server/db/exists.ts";
import type { Tables } from "#server/db/schema.ts";
import type { DoorCount } from "./rules.ts";

export type PictureSize = keyof typeof calendarPictureWidths;

export interface Door {
  readonly date: string;
  /** `null` if the door is empty. */
  readonly id: string | null;
  /** `true` if the requesting member has opened the door. */
  readonly isOpen: boolean;
  /** Member who filled the door; `null` also if that member hides the name, is disabled or hidden. */
  readonly by: string | null;
  /** Member whose door is still empty; `null` also if that member hides the name, is disabled or not visible. */
  readonly late: string | null;
  /** Text below the picture. */
  readonly text: string | null;
  /** Without disabled and deleted accounts. */
  readonly opened: number;
  readonly members: number;
}

/**
 * `days` is an SQL pattern like `2026-%`. All reads in this file ignore openings of future days, which exist if the
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
        .on("owner.visibility", "in", shownWith.filledDoors),
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
    .select(["owner.name", "owner.visibility"])
    .select(({ selectFrom }) =>
      selectFrom("users").select(countRows.as("members")).where("disabled_at", "is", null).as("members"),
    )
    .orderBy("door.date")
    .execute();
  return rows.map(({ opened_at, opened, members, name, visibility, ...row }) => ({
    ...row,
    by: row.id === null ? null : name,
    late: row.id === null && visibility !== null && isShownWith(visibility, "emptyDoors") ? name : null,
    isOpen: opened_at !== null,
    opened: opened ?? 0,
    members: members ?? 0,
  }));
}

const countRows = sql<number>`cast(count(*) as integer)`;

export async function listAssignments(db: Db, year: number) {
  return db
    .selectFrom("calendar_assignments as assignment")
    .innerJoin("users as owner", "owner.id", "assignment.user_id")
    .leftJoin("calendar_pictures as picture", "picture.date", "assignment.date")
    .select(["assignment.date", "assignment.user_id", "assignment.reminders", "picture.id"])
    .select(["assignment.text", "assignment.is_hidden"])
    .select(["owner.name", "owner.avatar_id", "owner.disabled_at"])
    .where("assignment.date", "like", `${year}-%`)
    .orderBy("assignment.date")
    .execute();
}

/** Includes members without a door; omits disabled and hidden ones. */
export async function countDoorsByMember(db: Db, year: number): Promise<DoorCount[]> {
  return db
    .selectFrom("users")
    .leftJoin("calendar_assignments as assignment", (join) =>
      join.onRef("assignment.user_id", "=", "users.id").on("assignment.date", "like", `${year}-%`),
    )
    .select(["users.id as userId", sql<number>`cast(count(assignment.date) as integer)`.as("doors")])
    .where("users.disabled_at", "is", null)
    .where("users.visibility", "in", shownWith.lottery)
    .groupBy("users.id")
    .orderBy("users.id")
    .execute();
}

/** Replaces earlier assignments of these days. */
export async function replaceAssignments(
  tx: Db,
  assignments: readonly Insertable<Tables["calendar_assignments"]>[],
): Promise<void> {
  const days = assignments.map(({ date }) => date);
  if (days.length === 0) return;
  await tx.deleteFrom("calendar_assignments").where("date", "in", days).execute();
  await tx.insertInto("calendar_assignments").values(assignments).execute();
}

export async function deleteAssignment(db: Db, date: string): Promise<void> {
  await db.deleteFrom("calendar_assignments").where("date", "=", date).execute();
}

/**
 * Records the number of reminders by push or in the app. Returns `false` if already recorded, or if the door has a
 * picture.
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

/** Locks until the transaction ends; returns `false` if the door is not the member's. */
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

export async function updateOwnDoor(
  tx: Db,
  date: string,
  changes: Updateable<Pick<Tables["calendar_assignments"], "text" | "is_hidden">>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await tx.updateTable("calendar_assignments").set(changes).where("date", "=", date).execute();
}

/** Includes `last`, newest first. */
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

/** A year with a picture or an assignment has all 24 doors. */
export async function hasDoors(db: Db, year: string): Promise<boolean> {
  const days = `${year}-%`;
  const assigned = db.selectFrom("calendar_assignments").select("date").where("date", "like", days);
  return exists(db.selectFrom("calendar_pictures").select("date").where("date", "like", days).union(assigned).limit(1));
}

export async function findPictureId(db: Db, date: string): Promise<string | undefined> {
  const row = await db.selectFrom("calendar_pictures").select("id").where("date", "=", date).executeTakeFirst();
  return row?.id;
}

/** Returns `false` if the member has already opened the door. */
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

export async function isOnlyOpening(tx: Db, { user_id, date }: Tables["calendar_openings"]): Promise<boolean> {
  const others = tx
    .selectFrom("calendar_openings")
    .select("date")
    .where("date", "=", date)
    .where("user_id", "!=", user_id);
  return !(await exists(others));
}

/** Returns the picture only if the member has opened the door or is assigned to it. */
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

/** The caller checks that the member may see the picture. */
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

/** `opened` is the number of members who opened the door. */
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

/** Date of the first door during the swap, because dates are unique. */
const swapPlaceholder = "aside";

/** Changes assignments before pictures, like replaceYear() and uploads, because another order could deadlock. */
export async function swapDoors(tx: Db, one: string, other: string): Promise<void> {
  for (const table of ["calendar_assignments", "calendar_pictures"] as const)
    for (const [from, to] of [
      [one, swapPlaceholder],
      [other, one],
      [swapPlaceholder, other],
    ] as const)
      await tx.updateTable(table).set({ date: to }).where("date", "=", from).execute();
}

/** Deletes all assignments of the year, too. */
export async function replaceYear(
  tx: Db,
  year: number,
  pictures: readonly Tables["calendar_pictures"][],
): Promise<void> {
  await tx.deleteFrom("calendar_assignments").where("date", "like", `${year}-%`).execute();
  await tx.deleteFrom("calendar_pictures").where("date", "like", `${year}-%`).execute();
  // All pictures would be too large for one statement.
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
