// Replaces two indexes of beers by time with one, because every booked beer has to update each
// index.
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx) => {
  await tx.schema.dropIndex("beers_by_member").execute();
  await tx.schema.dropIndex("beers_by_time").execute();
  await tx.schema.createIndex("beers_by_time").on("beers").columns(["at", "id", "user_id"]).execute();
};
