// The beers of a weekday beside the member's total, in a row that every beer writes anyway, instead of in a table of their own.
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx) => {
  for (const weekday of ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]) {
    await tx.schema
      .alterTable("beer_members")
      .addColumn(weekday, "bigint", (column) => column.notNull().defaultTo(0))
      .execute();
  }
  await tx.schema.dropTable("beer_weekdays").execute();
  // Without the time zone they were counted in, the next start counts every beer again.
  await tx.deleteFrom("settings").where("key", "=", "time-zone").execute();
};
