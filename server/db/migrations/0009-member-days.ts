// Counts beers per day and member instead of per day, so that every week, month and year has a
// ranking.
import { required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx) => {
  await tx.schema
    .createTable("beer_member_days")
    .addColumn("day", "text", required)
    .addColumn("user_id", "integer", (column) => column.notNull().references("users.id"))
    .addColumn("total", "integer", required)
    .addPrimaryKeyConstraint("beer_member_days_key", ["day", "user_id"])
    .execute();
  await tx.schema.dropTable("beer_days").execute();
  // Deletes the stored time zone; without it, the next start recounts all beers.
  await tx.deleteFrom("settings").where("key", "=", "time-zone").execute();
};
