// Which beers were without alcohol, and how many of a day were.
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx) => {
  await tx.schema.alterTable("beers").addColumn("kind", "text").execute();
  await tx.schema
    .alterTable("beer_member_days")
    .addColumn("alcohol_free", "bigint", (column) => column.notNull().defaultTo(0))
    .execute();
};
