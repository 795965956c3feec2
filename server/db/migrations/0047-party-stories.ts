// Photos of a party's table, the switch and the call for them, and who has been told a party's end and has seen its
// story.
import { bytes, owner, required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx, kind) => {
  await tx.schema
    .alterTable("parties")
    .addColumn("is_photo_on", "integer", (column) => required(column).defaultTo(1))
    .execute();
  await tx.schema.alterTable("parties").addColumn("photo_asked_at", "bigint").execute();
  await tx.schema
    .alterTable("parties")
    .addColumn("is_end_told", "integer", (column) => required(column).defaultTo(0))
    .execute();
  await tx.schema
    .alterTable("party_members")
    .addColumn("is_story_seen", "integer", (column) => required(column).defaultTo(0))
    .execute();
  await tx.schema
    .createTable("party_photos")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("party_id", "integer", (column) => column.notNull().references("parties.id").onDelete("cascade"))
    .addColumn("user_id", "integer", owner)
    .addColumn("screen", bytes(kind), required)
    .addColumn("phone", bytes(kind), required)
    .addColumn("created_at", "bigint", required)
    .addColumn("is_in_review", "integer", (column) => required(column).defaultTo(0))
    .addUniqueConstraint("party_photos_one_per_member", ["party_id", "user_id"])
    .execute();
  await tx.schema.createIndex("party_photos_user").on("party_photos").column("user_id").execute();
};
