// The kind of each beer, and the number of non-alcoholic beers per day.
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx) => {
  await tx.schema.alterTable("beers").addColumn("kind", "text").execute();
  await tx.schema
    .alterTable("beer_member_days")
    .addColumn("alcohol_free", "bigint", (column) => column.notNull().defaultTo(0))
    .execute();
};
