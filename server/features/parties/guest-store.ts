import { type Insertable, type Selectable, sql, type Updateable } from "kysely";

import type { Db } from "#server/db/connect.ts";
import type { Tables } from "#server/db/schema.ts";
import { minutes } from "#server/time.ts";

type Party = Pick<Selectable<Tables["parties"]>, "id" | "starts_at" | "ends_at">;

/** Returns `true` if the member has joined the party and has not gone home. */
export async function hasMember(db: Db, partyId: number, userId: number): Promise<boolean> {
  const found = await db
    .selectFrom("party_members")
    .select("user_id")
    .where("party_id", "=", partyId)
    .where("user_id", "=", userId)
    .where("counts_until", "is", null)
    .executeTakeFirst();
  return found !== undefined;
}

export async function createGuest(tx: Db, guest: Insertable<Tables["party_guests"]>): Promise<number> {
  const { id } = await tx.insertInto("party_guests").values(guest).returning("id").executeTakeFirstOrThrow();
  return id;
}

/** Includes the party and the `disabled_at` of the member who added the guest. */
export async function findGuest(db: Db, id: number) {
  return db
    .selectFrom("party_guests")
    .innerJoin("parties", "parties.id", "party_guests.party_id")
    .innerJoin("users", "users.id", "party_guests.added_by")
    .select(["party_guests.id", "party_guests.party_id", "party_guests.added_by"])
    .select(["parties.created_by", "parties.starts_at", "parties.ends_at", "users.disabled_at"])
    .where("party_guests.id", "=", id)
    .executeTakeFirst();
}

export async function deleteGuest(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom("party_guests").where("id", "=", id).execute();
}

/** Includes the party. */
export async function findGuestByToken(db: Db, tokenHash: string) {
  return db
    .selectFrom("party_guests")
    .innerJoin("parties", "parties.id", "party_guests.party_id")
    .select(["party_guests.id", "party_guests.party_id", "party_guests.name"])
    .select(["party_guests.request", "party_guests.requested_name"])
    .select(["parties.name as party", "parties.created_by", "parties.starts_at", "parties.ends_at"])
    .where("party_guests.token_hash", "=", tokenHash)
    .executeTakeFirst();
}

export async function updateGuest(tx: Db, id: number, changes: Updateable<Tables["party_guests"]>): Promise<void> {
  await tx.updateTable("party_guests").set(changes).where("id", "=", id).execute();
}

/** Includes the party. */
export async function findRequest(db: Db, id: number) {
  return db
    .selectFrom("party_guests")
    .innerJoin("parties", "parties.id", "party_guests.party_id")
    .select(["party_guests.party_id", "party_guests.token_hash", "party_guests.request", "parties.ends_at"])
    .where("party_guests.id", "=", id)
    .executeTakeFirst();
}

/** Returns the oldest open request after a party that ended since then; `startedBy` is `null` for all parties. */
export async function findOpenRequest(db: Db, startedBy: number | null, endedSince: number) {
  let requests = db
    .selectFrom("party_guests")
    .innerJoin("parties", "parties.id", "party_guests.party_id")
    .select(({ ref }) => ["party_guests.party_id as party", ref("party_guests.requested_name").$notNull().as("name")])
    .where("party_guests.request", "=", "open")
    .where("parties.ends_at", ">", endedSince);
  if (startedBy !== null) requests = requests.where("parties.created_by", "=", startedBy);
  return requests.orderBy("party_guests.id").limit(1).executeTakeFirst();
}

/** Returns the guests in the order in which they were added. */
export async function listGuests(db: Db, partyId: number) {
  return db
    .selectFrom("party_guests")
    .innerJoin("users", "users.id", "party_guests.added_by")
    .select(["party_guests.id", "party_guests.name", "party_guests.added_by", "party_guests.token_hash"])
    .select(["party_guests.request", "party_guests.requested_name"])
    .select(["users.name as by", "users.disabled_at", "users.visibility"])
    .where("party_guests.party_id", "=", partyId)
    .orderBy("party_guests.id")
    .execute();
}

/** Omits guests of a finished party, whose names are deleted. */
export async function listGuestsWithTotals(db: Db, { id, starts_at, ends_at }: Party) {
  return db
    .selectFrom("party_guests")
    .leftJoin("party_guest_beers as beer", (join) =>
      join
        .onRef("beer.guest_id", "=", "party_guests.id")
        .on("beer.is_undone", "=", 0)
        .on("beer.at", ">=", starts_at)
        .on("beer.at", "<", ends_at),
    )
    .select(["party_guests.id"])
    .select(({ ref, fn }) => [
      ref("party_guests.name").$notNull().as("name"),
      fn.count<number>("beer.id").as("beercounter_entries_count"),
    ])
    .where("party_guests.party_id", "=", id)
    .where("party_guests.name", "is not", null)
    .groupBy(["party_guests.id", "party_guests.name"])
    .execute();
}

export async function findBeer(db: Db, guestId: number, key: string) {
  return db
    .selectFrom("party_guest_beers")
    .selectAll()
    .where("guest_id", "=", guestId)
    .where("key", "=", key)
    .executeTakeFirst();
}

export async function createBeer(tx: Db, beer: Insertable<Tables["party_guest_beers"]>): Promise<void> {
  await tx.insertInto("party_guest_beers").values(beer).execute();
}

export async function markBeerUndone(tx: Db, id: number): Promise<void> {
  await tx.updateTable("party_guest_beers").set({ is_undone: 1 }).where("id", "=", id).execute();
}

/** Returns the beers that count, the oldest first. */
export async function listBeersOf(db: Db, guestId: number) {
  return db
    .selectFrom("party_guest_beers")
    .select(["key", "at"])
    .where("guest_id", "=", guestId)
    .where("is_undone", "=", 0)
    .orderBy("at")
    .orderBy("id")
    .execute();
}

/** Counts undone beers, too. */
export async function countKeysOf(db: Db, guestId: number): Promise<number> {
  const { count } = await db
    .selectFrom("party_guest_beers")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("guest_id", "=", guestId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function countBeersOf(db: Db, guestId: number): Promise<number> {
  const { count } = await db
    .selectFrom("party_guest_beers")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("guest_id", "=", guestId)
    .where("is_undone", "=", 0)
    .executeTakeFirstOrThrow();
  return count;
}

/** Counts per guest and quarter of an hour; quarters are numbered from the epoch. */
export async function countBeers(db: Db, { id, starts_at, ends_at }: Party) {
  const quarter = sql<number>`at / ${sql.lit(minutes(15))}`;
  return db
    .selectFrom("party_guest_beers")
    .select(({ fn }) => ["guest_id", quarter.as("quarter"), fn.countAll<number>().as("count")])
    .select(({ fn }) => [fn.min("at").as("first"), fn.max("at").as("last")])
    .where("is_undone", "=", 0)
    .where("at", ">=", starts_at)
    .where("at", "<", ends_at)
    .where("guest_id", "in", (eb) => eb.selectFrom("party_guests").select("id").where("party_id", "=", id))
    .groupBy(["guest_id", quarter])
    .execute();
}

/** Returns the newest last; `since` is epoch ms. */
export async function listBeersBookedSince(db: Db, partyId: number, since: number) {
  return db
    .selectFrom("party_guest_beers")
    .select(["guest_id", "key"])
    .where("is_undone", "=", 0)
    .where("booked_at", ">", since)
    .where("guest_id", "in", (eb) => eb.selectFrom("party_guests").select("id").where("party_id", "=", partyId))
    .orderBy("booked_at")
    .orderBy("id")
    .execute();
}

export async function listNewestBeers(db: Db, partyId: number, limit: number) {
  return db
    .selectFrom("party_guest_beers")
    .innerJoin("party_guests", "party_guests.id", "party_guest_beers.guest_id")
    .select(["party_guest_beers.id", "party_guest_beers.at"])
    .select(({ ref }) => ref("party_guests.name").$notNull().as("name"))
    .where("party_guests.party_id", "=", partyId)
    .where("party_guests.name", "is not", null)
    .where("party_guest_beers.is_undone", "=", 0)
    .orderBy("party_guest_beers.at", "desc")
    .orderBy("party_guest_beers.id", "desc")
    .limit(limit)
    .execute();
}

/** Deletes the names of guests of all parties that are over. */
export async function deleteNames(tx: Db, now: number): Promise<void> {
  await tx
    .updateTable("party_guests")
    .set({ name: null })
    .where("name", "is not", null)
    .where("party_id", "in", (eb) => eb.selectFrom("parties").select("id").where("ends_at", "<=", now))
    .execute();
}

export async function forgetDevices(tx: Db, endedBefore: number): Promise<void> {
  await tx
    .updateTable("party_guests")
    .set({ token_hash: null, request: null, requested_name: null })
    .where("token_hash", "is not", null)
    .where("party_id", "in", (eb) => eb.selectFrom("parties").select("id").where("ends_at", "<=", endedBefore))
    .execute();
}

/** A restore brings back no QR codes. */
export async function deleteSecrets(tx: Db): Promise<void> {
  await tx.updateTable("parties").set({ guest_secret: null }).where("guest_secret", "is not", null).execute();
}

/** Includes the name of the party and the number of beers. */
export async function listOwnGuests(db: Db, userId: number) {
  return db
    .selectFrom("party_guests")
    .innerJoin("parties", "parties.id", "party_guests.party_id")
    .select(["party_guests.name", "parties.name as party"])
    .select(({ selectFrom, fn }) =>
      selectFrom("party_guest_beers")
        .select(fn.countAll<number>().as("count"))
        .whereRef("guest_id", "=", "party_guests.id")
        .where("is_undone", "=", 0)
        .$asScalar()
        .$notNull()
        .as("beers"),
    )
    .where("party_guests.added_by", "=", userId)
    .orderBy("party_guests.id")
    .execute();
}
