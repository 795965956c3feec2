import type { Insertable } from "kysely";

import { bytesIn, sizeOf, type StoredFile } from "#server/db/bytes.ts";
import type { Db } from "#server/db/connect.ts";
import { exists } from "#server/db/exists.ts";
import type { Tables } from "#server/db/schema.ts";

/** Replaces the member's photo of the party. */
export async function replacePhoto(tx: Db, photo: Insertable<Tables["party_photos"]>): Promise<void> {
  await deletePhoto(tx, photo.party_id, photo.user_id);
  await tx.insertInto("party_photos").values(photo).execute();
}

/** Returns `false` if the member has no photo there. */
export async function deletePhoto(tx: Db, partyId: number, userId: number): Promise<boolean> {
  return exists(
    tx.deleteFrom("party_photos").where("party_id", "=", partyId).where("user_id", "=", userId).returning("id"),
  );
}

/** Returns `false` if the member has no photo there. */
export async function updateInReview(tx: Db, partyId: number, userId: number, is_in_review: 0 | 1): Promise<boolean> {
  return exists(
    tx
      .updateTable("party_photos")
      .set({ is_in_review })
      .where("party_id", "=", partyId)
      .where("user_id", "=", userId)
      .returning("id"),
  );
}

/** Returns the oldest first; `disabled_at` and `visibility` tell if the member may be named. */
export async function listPhotos(db: Db, partyId: number) {
  return db
    .selectFrom("party_photos as photo")
    .innerJoin("users", "users.id", "photo.user_id")
    .select(["photo.id", "photo.user_id", "photo.is_in_review"])
    .select(["users.name", "users.disabled_at", "users.visibility"])
    .where("photo.party_id", "=", partyId)
    .orderBy("photo.created_at")
    .orderBy("photo.id")
    .execute();
}

/** Returns the oldest first. */
export async function listOwnPhotos(db: Db, userId: number) {
  return db
    .selectFrom("party_photos as photo")
    .innerJoin("parties", "parties.id", "photo.party_id")
    .select(["photo.id", "photo.created_at", "photo.is_in_review", "parties.name as party"])
    .where("photo.user_id", "=", userId)
    .orderBy("photo.created_at")
    .execute();
}

/** Returns a photo only to those who were at its party. */
export async function findPhoto(
  db: Db,
  id: string,
  viewerId: number,
  size: "phone" | "screen",
): Promise<StoredFile | undefined> {
  const row = await db
    .selectFrom("party_photos as photo")
    .select(sizeOf(`photo.${size}`).as("size"))
    .where("photo.id", "=", id)
    .where(({ exists: has, selectFrom }) =>
      has(
        selectFrom("party_members as viewer")
          .select("viewer.user_id")
          .whereRef("viewer.party_id", "=", "photo.party_id")
          .where("viewer.user_id", "=", viewerId),
      ),
    )
    .executeTakeFirst();
  return (
    row && {
      size: row.size,
      tag: `${id}-${size}`,
      read: async (range) => {
        const query = db.selectFrom("party_photos").select(bytesIn(size, range).as("bytes")).where("id", "=", id);
        return Buffer.from((await query.executeTakeFirstOrThrow()).bytes);
      },
    }
  );
}
