// Beers and their precomputed counts, so that no response time grows with the number of beers.
import { identity, required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx, kind) => {
  await tx.schema
    .createTable("beers")
    .addColumn("id", "integer", identity(kind))
    .addColumn("user_id", "integer", (column) => column.notNull().references("users.id"))
    .addColumn("key", "text")
    .addColumn("at", "bigint", required)
    .addColumn("group_total", "integer", required)
    .addColumn("own_total", "integer", required)
    .execute();
  await tx.schema
    .createIndex("beers_by_key")
    .on("beers")
    .columns(["key", "user_id"])
    .unique()
    .where("key", "is not", null)
    .execute();

  await tx.schema
    .createTable("beer_group")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("total", "integer", required)
    .addColumn("version", "bigint", required)
    .addColumn("first_day", "text")
    .execute();
  await tx.insertInto("beer_group").values({ id: 1, total: 0, version: 0, first_day: null }).execute();

  await tx.schema
    .createTable("beer_members")
    .addColumn("user_id", "integer", (column) => column.primaryKey().references("users.id"))
    .addColumn("total", "integer", required)
    .execute();

  await tx.schema
    .createTable("beer_days")
    .addColumn("day", "text", (column) => column.primaryKey())
    .addColumn("total", "integer", required)
    .execute();

  await tx.schema
    .createTable("beer_weekdays")
    .addColumn("weekday", "integer", (column) => column.primaryKey())
    .addColumn("total", "integer", required)
    .execute();
};
