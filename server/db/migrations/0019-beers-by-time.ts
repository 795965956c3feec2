// One index of beers by time instead of two, since every beer writes to each index.
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx) => {
  await tx.schema.dropIndex("beers_by_member").execute();
  await tx.schema.dropIndex("beers_by_time").execute();
  await tx.schema.createIndex("beers_by_time").on("beers").columns(["at", "id", "user_id"]).execute();
};
