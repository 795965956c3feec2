import { type Insertable, sql, type Updateable } from "kysely";

import type { calendarPictureWidths } from "#contract/christmas-calendar.ts";
import { bytesIn, sizeOf, type StoredFile } from "#server/db/bytes.ts";
import type { Db } from "#server/db/connect.ts";
import { returnsRow } from "#server/db/returns-row.ts";
import type { Tables } from "#server/db/tables.ts";
import type { Holder } from "./rules.ts";

export type PictureSize = keyof typeof calendarPictureWidths;

export interface Door {
  readonly date: string;
  /** `null` without a picture. */
  readonly id: string | null;
  /** `true` if this member has opened it. */
  readonly isOpen: boolean;
  /** The name of the member who filled it; `null` also if that member hides it, is disabled or paused. */
  readonly by: string | null;
  /** The name of the member who has not filled it; `null` also if that member hides, is disabled or paused. */
  readonly late: string | null;
  /** The line that the member has written below the picture. */
  readonly text: string | null;
  /** How many of the members have opened it; disabled and deleted accounts do not count. */
  readonly opened: number;
  readonly members: number;
}

/**
 * The doors on days like `2026-%` that have a picture, a member or an opening, in order. Here and below an opening counts only if its
 * day has come: the clock may have been ahead.
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

/** The doors of a year that members fill, in order, with the ids of their pictures. */
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

/** All members who are not disabled, with the number of doors of a year that they fill. */
export async function listHolders(db: Db, year: number): Promise<Holder[]> {
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

/** Gives each of these days to a member, whoever had it before. */
export async function replaceAssignments(
  tx: Db,
  assignments: readonly Insertable<Tables["calendar_assignments"]>[],
): Promise<void> {
  const days = assignments.map(({ date }) => date);
  if (days.length === 0) return;
  await tx.deleteFrom("calendar_assignments").where("date", "in", days).execute();
  await tx.insertInto("calendar_assignments").values(assignments).execute();
}

/** Takes a door from its member, unless that is `keeper`; returns whose it was. */
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
 * Records that a member was reminded `reminders` times of an empty door, by push or in the app; `false` if that is recorded already,
 * or the door has a picture.
 */
export async function updateReminders(
  db: Db,
  { date, userId, reminders }: { date: string; userId: number; reminders: number },
  column: "reminders" | "shown_reminders",
): Promise<boolean> {
  return returnsRow(
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

/** Locks a member's own door until the transaction ends; false if it is not hers or his. */
export async function lockAssignment(tx: Db, date: string, userId: number): Promise<boolean> {
  return returnsRow(
    tx
      .updateTable("calendar_assignments")
      .set({ user_id: userId })
      .where("date", "=", date)
      .where("user_id", "=", userId)
      .returning("date"),
  );
}

/** Changes the line below a member's picture, or whether the others are told whose it is. */
export async function updateOwnDoor(
  tx: Db,
  date: string,
  changes: Updateable<Pick<Tables["calendar_assignments"], "text" | "is_hidden">>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await tx.updateTable("calendar_assignments").set(changes).where("date", "=", date).execute();
}

/** The years that have pictures or are dealt to members, up to and including `last`, the newest first. */
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

/** Returns `true` if the year has a picture or is dealt: then it has all its doors. */
export async function hasDoors(db: Db, year: string): Promise<boolean> {
  const days = `${year}-%`;
  const assigned = db.selectFrom("calendar_assignments").select("date").where("date", "like", days);
  return returnsRow(
    db.selectFrom("calendar_pictures").select("date").where("date", "like", days).union(assigned).limit(1),
  );
}

export async function findPictureId(db: Db, date: string): Promise<string | undefined> {
  const row = await db.selectFrom("calendar_pictures").select("id").where("date", "=", date).executeTakeFirst();
  return row?.id;
}

/** Opens a door for a member; `false` if it is open already. */
export async function createOpening(db: Db, opening: Tables["calendar_openings"]): Promise<boolean> {
  return returnsRow(
    db
      .insertInto("calendar_openings")
      .values(opening)
      .onConflict((conflict) => conflict.columns(["user_id", "date"]).doNothing())
      .returning("date"),
  );
}

/** A picture, if this member opened its door or put it there. */
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

/** A picture in the size for phones, without a check of who may see it. */
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

/** The pictures of a year with their ids, and how many members opened each. */
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

/** Not a day: holds a door while two are swapped. */
const temporaryDate = "aside";

/**
 * Swaps what is behind two doors: the members who fill them and the pictures, as far as there are any. Assignments come before
 * pictures, here and below as in the upload to a member's own door: in another order two transactions could wait for each other.
 */
export async function swapDoors(tx: Db, one: string, other: string): Promise<void> {
  for (const table of ["calendar_assignments", "calendar_pictures"] as const)
    for (const [from, to] of [
      [one, temporaryDate],
      [other, one],
      [temporaryDate, other],
    ] as const)
      await tx.updateTable(table).set({ date: to }).where("date", "=", from).execute();
}

/** No door of the year is a member's any more. */
export async function replaceYear(
  tx: Db,
  year: number,
  pictures: readonly Tables["calendar_pictures"][],
): Promise<void> {
  await tx.deleteFrom("calendar_assignments").where("date", "like", `${year}-%`).execute();
  await tx.deleteFrom("calendar_pictures").where("date", "like", `${year}-%`).execute();
  // One by one: together they are larger than a statement should be.
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

/** The doors that a member fills, and the ids of the pictures. */
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
