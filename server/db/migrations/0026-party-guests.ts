// Party guests without an account, and their beers, which count only for the party.
import { identity, owner, required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx, kind) => {
  await tx.schema
    .createTable("party_guests")
    .addColumn("id", "integer", identity(kind))
    .addColumn("party_id", "integer", (column) => column.notNull().references("parties.id").onDelete("cascade"))
    .addColumn("name", "text")
    .addColumn("added_by", "integer", owner)
    .execute();
  await tx.schema.createIndex("party_guests_by_party").on("party_guests").column("party_id").execute();

  await tx.schema
    .createTable("party_guest_beers")
    .addColumn("id", "integer", identity(kind))
    .addColumn("guest_id", "integer", (column) => column.notNull().references("party_guests.id").onDelete("cascade"))
    .addColumn("key", "text", required)
    .addColumn("at", "bigint", required)
    .addColumn("booked_at", "bigint", required)
    .addColumn("is_undone", "integer", (column) => column.notNull().defaultTo(0))
    .addUniqueConstraint("party_guest_beers_by_key", ["guest_id", "key"])
    .execute();
};
