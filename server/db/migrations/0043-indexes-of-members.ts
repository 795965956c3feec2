// Adds the total to the index of the days of each member, so that the ranking of a year reads no table rows, and an
// index of each member's beers, so that exports and deletions of an account do not read those of all members.
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx) => {
  await tx.schema.dropIndex("beer_member_days_of_member").execute();
  await tx.schema
    .createIndex("beer_member_days_of_member")
    .on("beer_member_days")
    .columns(["user_id", "day", "total"])
    .execute();
  await tx.schema.createIndex("beers_of_member").on("beers").columns(["user_id", "at", "id"]).execute();
};
