// Members fill doors of the Christmas calendar, each the ones that a lottery gave them.
import { owner } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx) => {
  await tx.schema
    .createTable("calendar_assignments")
    .addColumn("date", "text", (column) => column.primaryKey())
    .addColumn("user_id", "integer", owner)
    .execute();
};
