import type { Updateable } from "kysely";

import { shownWith } from "#contract/visibility.ts";
import type { Db } from "#server/db/connect.ts";
import type { Tables } from "#server/db/schema.ts";
import { listedMember } from "#server/features/members/store.ts";

/** Lists the members for whom others may book a beer, in no order; `tonight` is their number of beers since `since`. */
export async function listFaces(db: Db, where: "is_on_tablets" | "is_tappable", since: number) {
  return selectFaces(db, where)
    .select(({ selectFrom, fn, val }) => [
      selectFrom("beers")
        .select(fn.countAll<number>().as("count"))
        .whereRef("beers.user_id", "=", "users.id")
        .where("beers.at", ">=", since)
        .$asScalar()
        .$notNull()
        .as("tonight"),
      fn
        .coalesce(
          selectFrom("beer_members").select("total").whereRef("beer_members.user_id", "=", "users.id").$asScalar(),
          val(0),
        )
        .as("total"),
    ])
    .execute();
}

/** Returns `undefined` for a member who is not in listFaces(). */
export async function findFace(db: Db, where: "is_on_tablets" | "is_tappable", id: number) {
  return selectFaces(db, where).where("users.id", "=", id).executeTakeFirst();
}

function selectFaces(db: Db, where: "is_on_tablets" | "is_tappable") {
  return db
    .selectFrom("users")
    .select([...listedMember, "users.visibility", "users.pin_hash"])
    .where("users.disabled_at", "is", null)
    .where("users.visibility", "in", shownWith.faces)
    .where(`users.${where}`, "=", 1);
}

export async function findTapSettings(db: Db, id: number) {
  return db
    .selectFrom("users")
    .select(["is_on_tablets", "is_tappable", "pin_hash"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
}

export async function updateTapSettings(
  tx: Db,
  id: number,
  settings: Pick<Updateable<Tables["users"]>, "is_on_tablets" | "is_tappable" | "pin_hash">,
): Promise<void> {
  await tx.updateTable("users").set(settings).where("id", "=", id).execute();
}
