// One index over the times of beers instead of two, since every beer writes each of them.
import type { Transaction } from "kysely";

import type { Tables } from "../tables.ts";

export async function up(tx: Transaction<Tables>): Promise<void> {
  await tx.schema.dropIndex("beers_by_member").execute();
  await tx.schema.dropIndex("beers_by_time").execute();
  await tx.schema.createIndex("beers_by_time").on("beers").columns(["at", "id", "user_id"]).execute();
}
