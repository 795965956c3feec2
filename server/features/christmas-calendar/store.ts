import { sql } from "kysely";

import type { calendarPictureWidths } from "#contract/christmas-calendar.ts";
import { bytesIn, sizeOf, type StoredFile } from "#server/db/bytes.ts";
import type { Db } from "#server/db/connect.ts";
import { returnsRow } from "#server/db/returns-row.ts";
import type { Tables } from "#server/db/tables.ts";

export type PictureSize = keyof typeof calendarPictureWidths;

/** The doors of a year in order, each with its picture's id if this member has opened it. */
export async function listDoors(db: Db, userId: number, year: number): Promise<{ date: string; id: string | null }[]> {
  const rows = await db
    .selectFrom("calendar_pictures as picture")
    .leftJoin("calendar_openings as opening", (join) =>
      join.onRef("opening.date", "=", "picture.date").on("opening.user_id", "=", userId),
    )
    .select(["picture.date", "picture.id", "opening.opened_at"])
    .where("picture.date", "like", `${year}-%`)
    .orderBy("picture.date")
    .execute();
  return rows.map(({ date, id, opened_at }) => ({ date, id: opened_at === null ? null : id }));
}

/** The years that have pictures, up to and including `last`, the newest first. */
export async function listYears(db: Db, last: number): Promise<number[]> {
  const year = sql<string>`substr(date, 1, 4)`;
  const rows = await db.selectFrom("calendar_pictures").select(year.as("year")).distinct().execute();
  return rows
    .map((row) => Number(row.year))
    .filter((one) => one <= last)
    .toSorted((one, other) => other - one);
}

export async function findPictureId(db: Db, date: string): Promise<string | undefined> {
  const row = await db.selectFrom("calendar_pictures").select("id").where("date", "=", date).executeTakeFirst();
  return row?.id;
}

/** Opens a door for a member; does nothing if it is open. */
export async function createOpening(db: Db, opening: Tables["calendar_openings"]): Promise<void> {
  await db
    .insertInto("calendar_openings")
    .values(opening)
    .onConflict((conflict) => conflict.columns(["user_id", "date"]).doNothing())
    .execute();
}

/** A picture, if this member opened its door. */
export async function findOpenedPicture(
  db: Db,
  id: string,
  userId: number,
  size: PictureSize,
): Promise<StoredFile | undefined> {
  const row = await db
    .selectFrom("calendar_pictures as picture")
    .innerJoin("calendar_openings as opening", "opening.date", "picture.date")
    .select(sizeOf(`picture.${size}`).as("size"))
    .where("picture.id", "=", id)
    .where("opening.user_id", "=", userId)
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
export async function listPictures(db: Db, year: number): Promise<{ date: string; id: string; opened: number }[]> {
  return db
    .selectFrom("calendar_pictures as picture")
    .leftJoin("calendar_openings as opening", "opening.date", "picture.date")
    .select(["picture.date", "picture.id", sql<number>`cast(count(opening.user_id) as integer)`.as("opened")])
    .where("picture.date", "like", `${year}-%`)
    .groupBy(["picture.date", "picture.id"])
    .execute();
}

export async function replacePicture(tx: Db, picture: Tables["calendar_pictures"]): Promise<void> {
  await deletePicture(tx, picture.date);
  await tx.insertInto("calendar_pictures").values(picture).execute();
}

/** False if there was none. */
export async function deletePicture(db: Db, date: string): Promise<boolean> {
  return returnsRow(db.deleteFrom("calendar_pictures").where("date", "=", date).returning("id"));
}

/** Not a day: holds a picture while two are swapped. */
const temporaryDate = "aside";

/** Swaps the pictures of two days; one of them may be missing. */
export async function swapPictures(tx: Db, one: string, other: string): Promise<void> {
  const move = (from: string, to: string) =>
    tx.updateTable("calendar_pictures").set({ date: to }).where("date", "=", from).execute();
  await move(one, temporaryDate);
  await move(other, one);
  await move(temporaryDate, other);
}

export async function replaceYear(
  tx: Db,
  year: number,
  pictures: readonly Tables["calendar_pictures"][],
): Promise<void> {
  await tx.deleteFrom("calendar_pictures").where("date", "like", `${year}-%`).execute();
  // One by one: together they are larger than a statement should be.
  for (const picture of pictures) await tx.insertInto("calendar_pictures").values(picture).execute();
}

export async function findAudio(db: Db): Promise<{ id: string; media: string; size: number } | undefined> {
  return db.selectFrom("calendar_audio").select(["id", "media", "size"]).executeTakeFirst();
}

export async function findAudioBytes(db: Db, id: string): Promise<Buffer> {
  const row = await db.selectFrom("calendar_audio").select("bytes").where("id", "=", id).executeTakeFirstOrThrow();
  return Buffer.from(row.bytes);
}

export async function replaceAudio(tx: Db, audio: Tables["calendar_audio"]): Promise<void> {
  await deleteAudio(tx);
  await tx.insertInto("calendar_audio").values(audio).execute();
}

/** False if the built-in carol was playing already. */
export async function deleteAudio(tx: Db): Promise<boolean> {
  return returnsRow(tx.deleteFrom("calendar_audio").returning("id"));
}

export async function listOwnOpenings(db: Db, userId: number) {
  return db
    .selectFrom("calendar_openings")
    .select(["date", "opened_at"])
    .where("user_id", "=", userId)
    .orderBy("date")
    .execute();
}
