// Beers per weekday beside the member's total, in a row that every beer updates anyway, instead of a separate table.
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx) => {
  for (const weekday of ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]) {
    await tx.schema
      .alterTable("beer_members")
      .addColumn(weekday, "bigint", (column) => column.notNull().defaultTo(0))
      .execute();
  }
  await tx.schema.dropTable("beer_weekdays").execute();
  // If the stored time zone is missing, the next start recounts all beers.
  await tx.deleteFrom("settings").where("key", "=", "time-zone").execute();
};
