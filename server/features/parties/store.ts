import {
  type Expression,
  type ExpressionBuilder,
  type Insertable,
  type Selectable,
  sql,
  type Updateable,
} from "kysely";

import { partyLimits } from "#contract/party.ts";
import { shownWith } from "#contract/visibility.ts";
import type { Db } from "#server/db/connect.ts";
import { exists } from "#server/db/exists.ts";
import type { Tables } from "#server/db/schema.ts";
import { minutes } from "#server/time.ts";

export async function createParty(tx: Db, party: Insertable<Tables["parties"]>): Promise<number> {
  const { id } = await tx.insertInto("parties").values(party).returning("id").executeTakeFirstOrThrow();
  return id;
}

/** Reopens a stay with the same start. */
export async function createStay(tx: Db, party_id: number, user_id: number, counts_from: number): Promise<void> {
  await tx
    .insertInto("party_members")
    .values({ party_id, user_id, counts_from })
    .onConflict((conflict) =>
      conflict.columns(["party_id", "user_id", "counts_from"]).doUpdateSet({ counts_until: null }),
    )
    .execute();
}

/** Does nothing if the member has no current stay. */
export async function endStay(tx: Db, partyId: number, userId: number, now: number): Promise<void> {
  await tx
    .updateTable("party_members")
    .set({ counts_until: now })
    .where("party_id", "=", partyId)
    .where("user_id", "=", userId)
    .where("counts_until", "is", null)
    .execute();
}

export async function deleteStays(tx: Db, partyId: number, userId: number): Promise<void> {
  await tx.deleteFrom("party_members").where("party_id", "=", partyId).where("user_id", "=", userId).execute();
}

export async function findParty(db: Db, id: number) {
  return db
    .selectFrom("parties")
    .innerJoin("users", "users.id", "parties.created_by")
    .selectAll("parties")
    .select(["users.name as creator", "users.disabled_at", "users.visibility", "users.password_hash"])
    .where("parties.id", "=", id)
    .executeTakeFirst();
}

export async function updateParty(tx: Db, id: number, changes: Updateable<Tables["parties"]>): Promise<void> {
  await tx.updateTable("parties").set(changes).where("id", "=", id).execute();
}

export async function deleteParty(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom("parties").where("id", "=", id).execute();
}

/** `is_home` is 1 if all stays have ended; `disabled_at` and `visibility` tell if the member may be named. */
export async function listMembers(db: Db, partyId: number) {
  const stays = db
    .selectFrom("party_members")
    .select("user_id")
    .select(({ fn, eb }) => fn.min(eb.case().when("counts_until", "is", null).then(0).else(1).end()).as("is_home"))
    .where("party_id", "=", partyId)
    .groupBy("user_id");
  return db
    .selectFrom(stays.as("stays"))
    .innerJoin("users", "users.id", "stays.user_id")
    .select(["users.id", "users.name", "users.uname", "users.avatar_id as profile_picture"])
    .select(["users.disabled_at", "users.visibility", "stays.is_home"])
    .execute();
}

export async function listStays(db: Db, partyId: number, userId: number) {
  return db
    .selectFrom("party_members")
    .select(["counts_from", "counts_until"])
    .where("party_id", "=", partyId)
    .where("user_id", "=", userId)
    .execute();
}

type Times = Pick<Selectable<Tables["parties"]>, "id" | "starts_at" | "ends_at">;

/** Counts per member and quarter of an hour, numbered from the epoch. `first` and `last` are times of beers. */
export async function countBeers(db: Db, party: Times) {
  const quarter = sql<number>`at / ${sql.lit(minutes(15))}`;
  return selectBeers(db, party)
    .select(({ fn }) => ["beers.user_id", quarter.as("quarter"), fn.countAll<number>().as("count")])
    .select(({ fn }) => [fn.min("at").as("first"), fn.max("at").as("last")])
    .groupBy(["beers.user_id", quarter])
    .execute();
}

/** Returns the beer with this number, in order of time; `user_id` is `null` for a guest's. */
export async function findNthBeer(db: Db, party: Times, number: number) {
  const ofMembers = selectBeers(db, party).select(["beers.at", "beers.user_id"]);
  const ofGuests = db
    .selectFrom("party_guest_beers as beer")
    .innerJoin("party_guests as guest", "guest.id", "beer.guest_id")
    .select("beer.at")
    .select(sql<number | null>`cast(null as integer)`.as("user_id"))
    .where("guest.party_id", "=", party.id)
    .where("beer.is_undone", "=", 0)
    .where("beer.at", ">=", party.starts_at)
    .where("beer.at", "<", party.ends_at);
  return db
    .selectFrom(ofMembers.$castTo<{ at: number; user_id: number | null }>().unionAll(ofGuests).as("beer"))
    .select(["beer.at", "beer.user_id"])
    .orderBy("beer.at")
    .orderBy("beer.user_id")
    .limit(1)
    .offset(number - 1)
    .executeTakeFirst();
}

/** Omits beers of disabled members and those who are not visible. */
export async function listTaps(db: Db, party: Times, limit: number) {
  return selectBeers(db, party)
    .innerJoin("users", "users.id", "beers.user_id")
    .select(["beers.id", "users.id as userId", "users.name as userName", "users.avatar_id as avatarId"])
    .select(["beers.at", "beers.kind"])
    .where("users.disabled_at", "is", null)
    .where("users.visibility", "in", shownWith.parties)
    .orderBy("beers.at", "desc")
    .orderBy("beers.id", "desc")
    .limit(limit)
    .execute();
}

function selectBeers(db: Db, { id, starts_at, ends_at }: Times) {
  return db
    .selectFrom("beers")
    .where("beers.at", ">=", starts_at - partyLimits.earlier)
    .where("beers.at", "<", ends_at)
    .where((eb) => duringStay(eb, { id: eb.val(id), starts_at: eb.val(starts_at) }));
}

/**
 * Matches beers during a stay, which may begin before the party. Unlike a join, `exists` counts a beer once even if two
 * stays overlap, which an instance of an older version may cause.
 */
function duringStay(
  eb: ExpressionBuilder<Tables, "beers">,
  party: Readonly<Record<"id" | "starts_at", Expression<number>>>,
) {
  return eb.exists(
    eb
      .selectFrom("party_members as stay")
      .select("stay.user_id")
      .whereRef("stay.user_id", "=", "beers.user_id")
      .where("stay.party_id", "=", party.id)
      .where((stay) =>
        stay(
          stay.case().when("stay.counts_from", "=", 0).then(party.starts_at).else(stay.ref("stay.counts_from")).end(),
          "<=",
          stay.ref("beers.at"),
        ),
      )
      .where((stay) =>
        stay.or([stay("stay.counts_until", "is", null), stay("stay.counts_until", ">", stay.ref("at"))]),
      ),
  );
}

/** Returns only stays at parties that ended after `since`. */
export async function listStaysElsewhere(db: Db, userId: number, partyId: number, since: number) {
  return db
    .selectFrom("party_members")
    .innerJoin("parties", "parties.id", "party_members.party_id")
    .select(["parties.starts_at", "parties.ends_at", "party_members.counts_from", "party_members.counts_until"])
    .where("party_members.user_id", "=", userId)
    .where("parties.id", "!=", partyId)
    .where("parties.ends_at", ">", since)
    .execute();
}

/** Counts beers outside of the member's stays, too. */
export async function countOwnBetween(db: Db, userId: number, from: number, until: number): Promise<number> {
  const { count } = await db
    .selectFrom("beers")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .where("at", ">=", from)
    .where("at", "<", until)
    .executeTakeFirstOrThrow();
  return count;
}

export async function countRunning(db: Db, now: number): Promise<number> {
  const { count } = await db
    .selectFrom("parties")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("starts_at", "<=", now)
    .where("ends_at", ">", now)
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns the newest first. */
export async function listRunning(db: Db, now: number) {
  return db
    .selectFrom("parties")
    .select(["id", "name", "starts_at", "ends_at"])
    .where("starts_at", "<=", now)
    .where("ends_at", ">", now)
    .orderBy("id", "desc")
    .execute();
}

/** Returns running parties whose members have not been asked for a photo and may be. */
export async function listUnasked(db: Db, now: number) {
  return db
    .selectFrom("parties")
    .select(["id", "name", "starts_at", "ends_at"])
    .where("starts_at", "<=", now)
    .where("ends_at", ">", now)
    .where("is_photo_on", "=", 1)
    .where("photo_asked_at", "is", null)
    .execute();
}

/** Returns `false` if the members have been asked or must not be. */
export async function claimPhotoCall(tx: Db, id: number, now: number): Promise<boolean> {
  return exists(
    tx
      .updateTable("parties")
      .set({ photo_asked_at: now })
      .where("id", "=", id)
      .where("ends_at", ">", now)
      .where("is_photo_on", "=", 1)
      .where("photo_asked_at", "is", null)
      .returning("id"),
  );
}

export async function listUntoldEnds(db: Db, since: number, now: number) {
  return db
    .selectFrom("parties")
    .select(["id", "name"])
    .where("is_end_told", "=", 0)
    .where("ends_at", ">", since)
    .where("ends_at", "<=", now)
    .execute();
}

/** Returns `false` if the members have been told. */
export async function claimEnd(tx: Db, id: number): Promise<boolean> {
  return exists(
    tx.updateTable("parties").set({ is_end_told: 1 }).where("id", "=", id).where("is_end_told", "=", 0).returning("id"),
  );
}

/** Returns the newest party that the member was at, that ended since then, and whose story the member has not seen. */
export async function findUnseenStory(db: Db, userId: number, since: number, now: number) {
  return db
    .selectFrom("parties")
    .select(["id", "starts_at", "ends_at"])
    .where("ends_at", ">", since)
    .where("ends_at", "<=", now)
    .where("id", "in", (own) =>
      own.selectFrom("party_members").select("party_id").where("user_id", "=", userId).where("is_story_seen", "=", 0),
    )
    .orderBy("ends_at", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** Returns `false` if the member was not there. */
export async function markStorySeen(db: Db, partyId: number, userId: number): Promise<boolean> {
  return exists(
    db
      .updateTable("party_members")
      .set({ is_story_seen: 1 })
      .where("party_id", "=", partyId)
      .where("user_id", "=", userId)
      .returning("user_id"),
  );
}

/** Returns the newest first, with the numbers of members, their beers and the beers of guests. */
export async function listRunningWithTotals(db: Db, now: number) {
  return selectListed(db).where("starts_at", "<=", now).where("ends_at", ">", now).execute();
}

export async function listEnded(db: Db, now: number, before: number, limit: number) {
  return selectListed(db)
    .where(({ eb, or }) => or([eb("starts_at", ">", now), eb("ends_at", "<=", now)]))
    .where("id", "<", before)
    .limit(limit)
    .execute();
}

function selectListed(db: Db) {
  return db
    .selectFrom("parties")
    .select(["id", "name", "starts_at", "ends_at", "created_by"])
    .select(({ eb, selectFrom, ref }) => [
      selectFrom("party_guests")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .whereRef("party_guests.party_id", "=", "parties.id")
        .where("party_guests.request", "=", "open")
        .$asScalar()
        .$notNull()
        .as("asking_count"),
      selectFrom("party_members")
        .select(({ fn }) => fn.count<number>("user_id").distinct().as("count"))
        .whereRef("party_id", "=", "parties.id")
        .$asScalar()
        .$notNull()
        .as("member_count"),
      selectFrom("beers")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("beers.at", ">=", eb("parties.starts_at", "-", partyLimits.earlier))
        .where("beers.at", "<", ref("parties.ends_at"))
        .where((beer) => duringStay(beer, { id: beer.ref("parties.id"), starts_at: beer.ref("parties.starts_at") }))
        .$asScalar()
        .$notNull()
        .as("member_total"),
      selectFrom("party_guest_beers")
        .innerJoin("party_guests", "party_guests.id", "party_guest_beers.guest_id")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .whereRef("party_guests.party_id", "=", "parties.id")
        .where("party_guest_beers.is_undone", "=", 0)
        .where("party_guest_beers.at", ">=", ref("parties.starts_at"))
        .where("party_guest_beers.at", "<", ref("parties.ends_at"))
        .$asScalar()
        .$notNull()
        .as("guest_total"),
    ])
    .orderBy("id", "desc");
}

/** Returns one row per stay. A party that the member started but never joined has one row, whose stay is null. */
export async function listOwnParties(db: Db, userId: number) {
  return db
    .selectFrom("parties")
    .leftJoin("party_members", (join) =>
      join.onRef("party_members.party_id", "=", "parties.id").on("party_members.user_id", "=", userId),
    )
    .select(["parties.id", "parties.name", "parties.starts_at", "parties.ends_at", "parties.created_by"])
    .select(["party_members.user_id", "party_members.counts_from", "party_members.counts_until"])
    .where(({ or, eb }) => or([eb("parties.created_by", "=", userId), eb("party_members.user_id", "=", userId)]))
    .orderBy("parties.id")
    .orderBy("party_members.counts_from")
    .execute();
}
