// Texts below calendar pictures, a setting that hides the member's name, and notices about
// administrators' changes to members' doors.
import { bytes, identity, owner, required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx, kind) => {
  await tx.schema.alterTable("calendar_assignments").addColumn("text", "text").execute();
  await tx.schema
    .alterTable("calendar_assignments")
    .addColumn("is_hidden", "integer", (column) => column.notNull().defaultTo(0))
    .execute();

  await tx.schema
    .createTable("calendar_notices")
    .addColumn("id", "integer", identity(kind))
    .addColumn("user_id", "integer", owner)
    .addColumn("at", "bigint", required)
    .addColumn("kind", "text", required)
    .addColumn("date", "text", required)
    .addColumn("moved_to", "text")
    .execute();
  await tx.schema.createIndex("calendar_notices_user").on("calendar_notices").column("user_id").execute();

  await tx.schema
    .createTable("calendar_removed_pictures")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("date", "text", required)
    .addColumn("screen", bytes(kind), required)
    .addColumn("phone", bytes(kind), required)
    .addColumn("owner_id", "integer", (column) => column.references("users.id").onDelete("cascade"))
    .addColumn("text", "text")
    .addColumn("is_hidden", "integer", required)
    .addColumn("is_by_owner", "integer", required)
    .addColumn("removed_at", "bigint", required)
    .execute();

  await tx.schema
    .createTable("calendar_reveals")
    .addColumn("picture_id", "text", required)
    .addColumn("user_id", "integer", owner)
    .addColumn("at", "bigint", required)
    .addPrimaryKeyConstraint("calendar_reveals_once", ["picture_id", "user_id"])
    .execute();
};
