// The Christmas calendar: pictures, doors opened by members, and background music.
import { bytes, owner, required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx, kind) => {
  await tx.schema
    .createTable("calendar_pictures")
    .addColumn("date", "text", (column) => column.primaryKey())
    .addColumn("id", "text", (column) => column.notNull().unique())
    .addColumn("screen", bytes(kind), required)
    .addColumn("phone", bytes(kind), required)
    .execute();

  await tx.schema
    .createTable("calendar_openings")
    .addColumn("user_id", "integer", owner)
    .addColumn("date", "text", required)
    .addColumn("opened_at", "bigint", required)
    .addPrimaryKeyConstraint("calendar_openings_once", ["user_id", "date"])
    .execute();

  await tx.schema
    .createTable("calendar_audio")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("media", "text", required)
    .addColumn("bytes", bytes(kind), required)
    .addColumn("size", "integer", required)
    .execute();
};
