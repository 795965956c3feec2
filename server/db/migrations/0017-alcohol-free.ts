// Which beers were without alcohol, and how many of a day were.
import type { Transaction } from "kysely";

import type { Tables } from "../tables.ts";

export async function up(tx: Transaction<Tables>): Promise<void> {
  await tx.schema.alterTable("beers").addColumn("kind", "text").execute();
  await tx.schema
    .alterTable("beer_member_days")
    .addColumn("alcohol_free", "bigint", (column) => column.notNull().defaultTo(0))
    .execute();
}
