// Counts beers per weekday in the row of the member's total, which every beer updates anyway,
// instead of in a separate table.
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx) => {
  for (const weekday of ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]) {
    await tx.schema
      .alterTable("beer_members")
      .addColumn(weekday, "bigint", (column) => column.notNull().defaultTo(0))
      .execute();
  }
  await tx.schema.dropTable("beer_weekdays").execute();
  // Deletes the stored time zone; without it, the next start recounts all beers.
  await tx.deleteFrom("settings").where("key", "=", "time-zone").execute();
};
