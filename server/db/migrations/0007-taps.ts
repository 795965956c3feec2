// Beers booked later than tapped, keys of undone beers, and an index of each member's beers by
// time.
import { identity, owner, required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx, kind) => {
  await tx.schema.alterTable("beers").addColumn("booked_at", "bigint").execute();
  await tx.schema.createIndex("beers_by_member").on("beers").columns(["user_id", "at"]).execute();

  await tx.schema
    .createTable("undone_beers")
    .addColumn("id", "integer", identity(kind))
    .addColumn("user_id", "integer", owner)
    .addColumn("key", "text")
    .addColumn("beer_id", "integer", (column) => column.unique())
    .addColumn("group_total", "integer", required)
    .addColumn("own_total", "integer", required)
    .execute();
  await tx.schema
    .createIndex("undone_beers_by_key")
    .on("undone_beers")
    .columns(["key", "user_id"])
    .unique()
    .where("key", "is not", null)
    .execute();
};
