// Calendar doors assigned to members by lottery, and reminders of empty doors.
import { owner } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx) => {
  await tx.schema
    .createTable("calendar_assignments")
    .addColumn("date", "text", (column) => column.primaryKey())
    .addColumn("user_id", "integer", owner)
    .addColumn("reminders", "integer", (column) => column.notNull().defaultTo(0))
    .execute();

  await tx.schema
    .alterTable("notification_settings")
    .addColumn("calendar", "integer", (column) => column.notNull().defaultTo(1))
    .execute();
};
