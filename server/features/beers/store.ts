import { type ExpressionBuilder, type SelectQueryBuilder, sql } from "kysely";

import { compareDrinkers, type Drinker, type Totals } from "#contract/beercounter.ts";
import { shownWith } from "#contract/visibility.ts";
import type { Db } from "#server/db/connect.ts";
import { exists } from "#server/db/exists.ts";
import { paginate } from "#server/db/paginate.ts";
import { prepareQuery, prepareRowsQuery } from "#server/db/prepared-query.ts";
import type { Tables } from "#server/db/schema.ts";
import { type DayCount, type MemberCount, type Weekday, weekdays } from "./rules.ts";

export interface VersionedTotals {
  readonly totals: Totals;
  readonly version: number;
}

const selectTotals = prepareQuery((db: Db, userId: number) =>
  db
    .selectFrom("beer_group")
    .leftJoin("beer_members", (join) => join.on("beer_members.user_id", "=", userId))
    .select(["beer_group.total as group_total", "beer_members.total as own_total", "beer_group.version"]),
);

/** Reads everything in one statement, so that the numbers match their version. */
export async function findTotals(db: Db, userId: number): Promise<VersionedTotals> {
  const row = (await selectTotals(db, userId))[0]!;
  return {
    totals: { group: row.group_total, own: row.own_total ?? 0 },
    version: row.version,
  };
}

type Group = Omit<Tables["beer_group"], "id">;

export async function findGroupTotal(db: Db): Promise<Group> {
  return (await selectGroup(db))[0]!;
}

const selectGroup = prepareQuery((db: Db) => db.selectFrom("beer_group").select(["total", "version", "first_day"]));

/** PostgreSQL sums bigints as numeric, which the driver returns as text. */
export const sumOfTotals = sql<number>`cast(sum(total) as bigint)`.as("total");

/** Lists the enabled members who are visible, in the order of the ranking. */
export async function listDrinkers(db: Db, period?: { from: string; to: string }): Promise<Drinker[]> {
  const drinkers = await (period ? selectDrinkersOf(db, period.from, period.to) : selectDrinkers(db));
  return drinkers.toSorted(compareDrinkers);
}

const selectDrinkers = prepareQuery((db: Db) =>
  selectRanked(db, (user) =>
    user.selectFrom("beer_members").select("total").whereRef("beer_members.user_id", "=", "users.id"),
  ),
);

const selectDrinkersOf = prepareQuery((db: Db, from: string, to: string) =>
  selectRanked(db, (user) =>
    user
      .selectFrom("beer_member_days")
      .select(sumOfTotals)
      .whereRef("beer_member_days.user_id", "=", "users.id")
      .where("day", ">=", from)
      .where("day", "<=", to),
  ),
);

/** Uses a subquery, because SQLite takes three times as long to group the days of a year. */
function selectRanked(
  db: Db,
  selectTotal: (
    user: ExpressionBuilder<Tables, "users">,
  ) => SelectQueryBuilder<Tables, "users" | "beer_members" | "beer_member_days", { total: number }>,
) {
  return db
    .selectFrom("users")
    .select(["users.id", "users.name", "users.uname", "users.avatar_id as profile_picture"])
    .select((user) => user.fn.coalesce(selectTotal(user), user.val(0)).as("beercounter_entries_count"))
    .where("users.disabled_at", "is", null)
    .where("users.visibility", "in", shownWith.ranking);
}

export async function countByDay(db: Db, from: string, to: string): Promise<Map<string, number>> {
  return new Map((await sumByDay(db, from, to)).map(({ day, total }) => [day, total]));
}

const sumByDay = prepareQuery((db: Db, from: string, to: string) =>
  db
    .selectFrom("beer_member_days")
    .select(["day", sumOfTotals])
    .where("day", ">=", from)
    .where("day", "<=", to)
    .groupBy("day"),
);

export async function countByWeekday(db: Db): Promise<Record<Weekday, number>> {
  return (await sumWeekdays(db))[0]!;
}

const sumWeekdays = prepareQuery((db: Db) =>
  db
    .selectFrom("beer_members")
    .select(weekdays.map((name) => sql<number>`cast(coalesce(sum(${sql.ref(name)}), 0) as bigint)`.as(name))),
);

/** Serializes bookings until the transaction ends. */
export async function lockGroupTotal(tx: Db): Promise<Group> {
  return addToGroupTotal(tx, 0);
}

/** Locks like lockGroupTotal(), and raises the total and the version. */
export async function addToGroupTotal(tx: Db, beers: number): Promise<Group> {
  return (await updateTotals(tx, beers, beers))[0]!;
}

const updateTotals = prepareQuery((tx: Db, total: number, version: number) =>
  tx
    .updateTable("beer_group")
    .set(({ eb }) => ({ total: eb("total", "+", total), version: eb("version", "+", version) }))
    .returning(["total", "version", "first_day"]),
);

export async function updateGroupTotal(tx: Db, { total, version, first_day }: Group): Promise<void> {
  await tx.updateTable("beer_group").set({ total, version, first_day }).execute();
}

type Keyed = Pick<Tables["beers"], "user_id" | "key" | "group_total" | "own_total">;

/** Includes undone beers. */
export async function listByKeys(db: Db, keys: readonly string[]): Promise<Keyed[]> {
  return selectByKeys(
    db,
    keys.map((key) => ({ key })),
  );
}

const selectByKeys = prepareRowsQuery((db: Db, rows: readonly { key: string }[]) => {
  const columns = ["user_id", "key", "group_total", "own_total"] as const;
  const keys = rows.map(({ key }) => key);
  return db
    .selectFrom("beers")
    .select(columns)
    .where("key", "in", keys)
    .unionAll(db.selectFrom("undone_beers").select(columns).where("key", "in", keys));
});

/** Call this if counts or the ranking have changed without a new beer. */
export async function incrementVersion(tx: Db): Promise<void> {
  await tx
    .updateTable("beer_group")
    .set(({ eb }) => ({ version: eb("version", "+", 1) }))
    .execute();
}

/** Returns the new totals by member. */
export async function addToMembers(tx: Db, counts: readonly MemberCount[]): Promise<Map<number, number>> {
  return new Map((await upsertMembers(tx, counts)).map(({ user_id, total }) => [user_id, total]));
}

const upsertMembers = prepareRowsQuery((tx: Db, rows: readonly MemberCount[]) =>
  tx
    .insertInto("beer_members")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column("user_id")
        .doUpdateSet(({ eb, ref }) =>
          Object.fromEntries(
            (["total", ...weekdays] as const).map((name) => [
              name,
              eb(`beer_members.${name}`, "+", ref(`excluded.${name}`)),
            ]),
          ),
        ),
    )
    .returning(["user_id", "total"]),
);

export const addToDays = prepareRowsQuery((tx: Db, rows: readonly DayCount[]) =>
  tx
    .insertInto("beer_member_days")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["day", "user_id"]).doUpdateSet(({ eb, ref }) => ({
        total: eb("beer_member_days.total", "+", ref("excluded.total")),
        alcohol_free: eb("beer_member_days.alcohol_free", "+", ref("excluded.alcohol_free")),
      })),
    ),
);

export type NewBeer = Omit<Tables["beers"], "id">;

export const createBeers = prepareRowsQuery((tx: Db, beers: readonly NewBeer[]) =>
  tx.insertInto("beers").values(beers),
);

export type BeerSelector = { readonly id: number } | { readonly key: string };

export async function findBeer(db: Db, userId: number, which: BeerSelector) {
  return db
    .selectFrom("beers")
    .selectAll()
    .where("user_id", "=", userId)
    .where((eb) => ("id" in which ? eb("id", "=", which.id) : eb("key", "=", which.key)))
    .executeTakeFirst();
}

export async function isUndone(db: Db, userId: number, which: BeerSelector): Promise<boolean> {
  return exists(
    db
      .selectFrom("undone_beers")
      .select("id")
      .where("user_id", "=", userId)
      .where((eb) => ("id" in which ? eb("beer_id", "=", which.id) : eb("key", "=", which.key))),
  );
}

export async function createUndoneBeer(tx: Db, undone: Omit<Tables["undone_beers"], "id">): Promise<void> {
  await tx.insertInto("undone_beers").values(undone).execute();
}

/** Ignores beers of other members; returns the deleted beers. */
export async function deleteBeers(tx: Db, userId: number, ids: readonly number[]) {
  return tx.deleteFrom("beers").where("id", "in", ids).where("user_id", "=", userId).returningAll().execute();
}

/** Deletes the member's daily counts of zero. Returns the day of the group's first beer; `null` if none is left. */
export async function deleteEmptyDays(tx: Db, userId: number): Promise<string | null> {
  await tx.deleteFrom("beer_member_days").where("user_id", "=", userId).where("total", "=", 0).execute();
  const { first } = await tx
    .selectFrom("beer_member_days")
    .select(({ fn }) => fn.min("day").as("first"))
    .executeTakeFirstOrThrow();
  return first;
}

/** Returns the newest beers first; `since` is epoch ms. */
export async function listOwnBeers(db: Db, userId: number, since: number, limit: number) {
  return db
    .selectFrom("beers")
    .leftJoin("users", "users.id", "beers.by_user_id")
    .select(["beers.id", "key", "at", "booked_at", "kind", "by_tablet", "users.name as by_member"])
    .where("user_id", "=", userId)
    .where("at", ">=", since)
    .orderBy("at", "desc")
    .orderBy("beers.id", "desc")
    .limit(limit)
    .execute();
}

/** Returns those that the member booked for others, with the drinkers; the newest first. */
export async function listBeersForOthers(db: Db, byUserId: number, since: number, limit: number) {
  return db
    .selectFrom("beers")
    .innerJoin("users", "users.id", "beers.user_id")
    .select(["key", "at", "booked_at", "kind", "users.id as drinker_id", "users.name as drinker"])
    .where("by_user_id", "=", byUserId)
    .where("at", ">=", since)
    .orderBy("at", "desc")
    .orderBy("beers.id", "desc")
    .limit(limit)
    .execute();
}

/** Omits disabled members and those who are not visible; newest first. */
export async function listLatestBeers(db: Db, limit: number) {
  return db
    .selectFrom("beers")
    .innerJoin("users", "users.id", "beers.user_id")
    .select(["beers.id", "users.id as userId", "users.name", "users.avatar_id as avatarId", "beers.at"])
    .select("beers.kind")
    .where("users.disabled_at", "is", null)
    .where("users.visibility", "in", shownWith.announcements)
    .orderBy("beers.at", "desc")
    .orderBy("beers.id", "desc")
    .limit(limit)
    .execute();
}

/** Yields the oldest beers first. */
export function paginateBeers(db: Db, userId?: number) {
  return paginate({ at: -1, id: -1 }, (after, limit) => listBeers(db, after, limit, userId));
}

async function listBeers(db: Db, after: { at: number; id: number }, limit: number, userId?: number) {
  return db
    .selectFrom("beers")
    .innerJoin("users", "users.id", "beers.user_id")
    .leftJoin("users as booker", "booker.id", "beers.by_user_id")
    .select(["beers.id", "users.uname", "beers.at", "beers.booked_at", "beers.key", "beers.kind"])
    .select(["beers.by_tablet", "booker.name as by_member"])
    .where(({ eb, refTuple, tuple }) => eb(refTuple("beers.at", "beers.id"), ">", tuple(after.at, after.id)))
    .$if(userId !== undefined, (query) => query.where("beers.user_id", "=", userId!))
    .orderBy("beers.at")
    .orderBy("beers.id")
    .limit(limit)
    .execute();
}

/** Returns the deleted daily counts; the caller lowers the group's counts. */
export async function deleteBeersOf(tx: Db, userId: number): Promise<DayCount[]> {
  await tx.deleteFrom("beers").where("user_id", "=", userId).execute();
  await tx.deleteFrom("beer_members").where("user_id", "=", userId).execute();
  return tx.deleteFrom("beer_member_days").where("user_id", "=", userId).returningAll().execute();
}

/** `from` and the result are epoch ms. */
export async function findFirstBeerAt(db: Db, from: number): Promise<number | undefined> {
  const { at } = await db
    .selectFrom("beers")
    .select(({ fn }) => fn.min("at").as("at"))
    .where("at", ">=", from)
    .executeTakeFirstOrThrow();
  return at === null ? undefined : Number(at);
}

/** Counts from `from` until before `until` (epoch ms). */
export async function countBetween(db: Db, from: number, until: number): Promise<Omit<DayCount, "day">[]> {
  const rows = await db
    .selectFrom("beers")
    .select(({ fn, eb }) => [
      "user_id",
      fn.countAll<number>().as("total"),
      fn.sum<number>(eb.case().when("kind", "=", "0,0").then(1).else(0).end()).as("alcohol_free"),
    ])
    .where("at", ">=", from)
    .where("at", "<", until)
    .groupBy("user_id")
    .execute();
  return rows.map(({ user_id, total, alcohol_free }) => ({
    user_id,
    total: Number(total),
    alcohol_free: Number(alcohol_free),
  }));
}

export async function listDayCounts(db: Db, day: string): Promise<DayCount[]> {
  return db.selectFrom("beer_member_days").selectAll().where("day", "=", day).where("total", "!=", 0).execute();
}

export async function countDayCounts(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom("beer_member_days")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("total", "!=", 0)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function listMemberCounts(db: Db): Promise<MemberCount[]> {
  return db.selectFrom("beer_members").selectAll().where("total", "!=", 0).execute();
}

export async function deleteCounts(tx: Db): Promise<void> {
  await tx.deleteFrom("beer_members").execute();
  await tx.deleteFrom("beer_member_days").execute();
}

export async function listOwnUndoneBeers(db: Db, userId: number) {
  return db.selectFrom("undone_beers").select("key").where("user_id", "=", userId).orderBy("id").execute();
}
