// Lottery runs that assign calendar doors, with their seeds; marks for assignments that the member
// knows of; and offers to swap doors.
import { identity, owner, required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx, kind) => {
  await tx.schema
    .createTable("calendar_dealings")
    .addColumn("id", "integer", identity(kind))
    .addColumn("year", "integer", required)
    .addColumn("seed", "text", required)
    .addColumn("inputs", "text", required)
    .addColumn("reason", "text")
    .addColumn("dealt_at", "bigint")
    .addColumn("is_announced", "integer", (column) => column.notNull().defaultTo(0))
    .execute();

  // Members already know of doors that were assigned before this migration.
  for (const [column, preset] of [
    ["is_told", 1],
    ["is_seen", 1],
    ["shown_reminders", 0],
  ] as const)
    await tx.schema
      .alterTable("calendar_assignments")
      .addColumn(column, "integer", (added) => added.notNull().defaultTo(preset))
      .execute();

  await tx.schema
    .createTable("calendar_swaps")
    .addColumn("id", "integer", identity(kind))
    .addColumn("date", "text", (column) =>
      column.notNull().unique().references("calendar_assignments.date").onDelete("cascade").onUpdate("cascade"),
    )
    .addColumn("from_id", "integer", owner)
    .addColumn("to_id", "integer", owner)
    .addColumn("picture_id", "text")
    .execute();
};
