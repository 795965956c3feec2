import { type Insertable, type Selectable, sql, type Updateable } from "kysely";

import { partyLimits } from "#contract/party.ts";
import type { Db } from "#server/db/connect.ts";
import { expired, unexpired } from "#server/db/expiry.ts";
import type { Tables } from "#server/db/tables.ts";
import { minutes } from "#server/time.ts";

export async function createParty(tx: Db, party: Insertable<Tables["parties"]>): Promise<number> {
  const { id } = await tx.insertInto("parties").values(party).returning("id").executeTakeFirstOrThrow();
  return id;
}

/** Twice is the same as once. */
export async function createMember(tx: Db, party_id: number, user_id: number): Promise<void> {
  await tx
    .insertInto("party_members")
    .values({ party_id, user_id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteMember(tx: Db, partyId: number, userId: number): Promise<void> {
  await tx.deleteFrom("party_members").where("party_id", "=", partyId).where("user_id", "=", userId).execute();
}

export async function findParty(db: Db, id: number) {
  return db
    .selectFrom("parties")
    .innerJoin("users", "users.id", "parties.created_by")
    .selectAll("parties")
    .select(["users.name as creator", "users.disabled_at", "users.is_paused", "users.password_hash"])
    .where("parties.id", "=", id)
    .executeTakeFirst();
}

export async function updateParty(tx: Db, id: number, changes: Updateable<Tables["parties"]>): Promise<void> {
  await tx.updateTable("parties").set(changes).where("id", "=", id).execute();
}

export async function deleteParty(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom("parties").where("id", "=", id).execute();
}

/** Returns the members of a party, with the columns that exclude them from rankings. */
export async function listMembers(db: Db, partyId: number) {
  return db
    .selectFrom("party_members")
    .innerJoin("users", "users.id", "party_members.user_id")
    .select(["users.id", "users.name", "users.uname", "users.avatar_id as profile_picture"])
    .select(["users.disabled_at", "users.is_paused"])
    .where("party_members.party_id", "=", partyId)
    .execute();
}

/** The beers of a party by member and quarter of an hour, which is numbered since 1970; `first` and `last` are times of beers. */
export async function countBeers(db: Db, { id, starts_at, ends_at }: Selectable<Tables["parties"]>) {
  const quarter = sql<number>`at / ${sql.lit(minutes(15))}`;
  return db
    .selectFrom("beers")
    .select(({ fn }) => ["user_id", quarter.as("quarter"), fn.countAll<number>().as("count")])
    .select(({ fn }) => [fn.min("at").as("first"), fn.max("at").as("last")])
    .where("at", ">=", starts_at)
    .where("at", "<", ends_at)
    .where("user_id", "in", (eb) => eb.selectFrom("party_members").select("user_id").where("party_id", "=", id))
    .groupBy(["user_id", quarter])
    .execute();
}

export async function countRunning(db: Db, now: number): Promise<number> {
  const { count } = await db
    .selectFrom("parties")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where(unexpired("ends_at", now, partyLimits.length))
    .executeTakeFirstOrThrow();
  return count;
}

/** The newest first. */
export async function listRunning(db: Db, now: number) {
  return selectListed(db)
    .where(unexpired("ends_at", now, partyLimits.length))
    .execute();
}

/** The newest `limit` ones that are over, with ids below `before`. */
export async function listEnded(db: Db, now: number, before: number, limit: number) {
  return selectListed(db)
    .where(expired("ends_at", now, partyLimits.length))
    .where("id", "<", before)
    .limit(limit)
    .execute();
}

function selectListed(db: Db) {
  return db
    .selectFrom("parties")
    .select(["id", "name", "starts_at", "ends_at"])
    .select(({ selectFrom, fn, ref }) => {
      const members = selectFrom("party_members").whereRef("party_id", "=", "parties.id");
      return [
        members.select(fn.countAll<number>().as("count")).$asScalar().$notNull().as("member_count"),
        selectFrom("beers")
          .select(fn.countAll<number>().as("count"))
          .where("at", ">=", ref("parties.starts_at"))
          .where("at", "<", ref("parties.ends_at"))
          .where("beers.user_id", "in", members.select("party_members.user_id"))
          .$asScalar()
          .$notNull()
          .as("total"),
      ];
    })
    .orderBy("id", "desc");
}

/** Those that a member started or was at. */
export async function listOwnParties(db: Db, userId: number) {
  return db
    .selectFrom("parties")
    .leftJoin("party_members", (join) =>
      join.onRef("party_members.party_id", "=", "parties.id").on("party_members.user_id", "=", userId),
    )
    .select(["parties.name", "parties.starts_at", "parties.ends_at", "parties.created_by", "party_members.user_id"])
    .where(({ or, eb }) => or([eb("parties.created_by", "=", userId), eb("party_members.user_id", "=", userId)]))
    .orderBy("parties.id")
    .execute();
}
