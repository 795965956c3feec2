// Parties and their members. Beers do not refer to a party: their times determine the party that
// they belong to.
import { identity, owner, required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx, kind) => {
  await tx.schema
    .createTable("parties")
    .addColumn("id", "integer", identity(kind))
    .addColumn("name", "text", required)
    .addColumn("created_by", "integer", owner)
    .addColumn("starts_at", "bigint", required)
    .addColumn("ends_at", "bigint", required)
    .execute();
  await tx.schema
    .createTable("party_members")
    .addColumn("party_id", "integer", (column) => column.notNull().references("parties.id").onDelete("cascade"))
    .addColumn("user_id", "integer", owner)
    .addPrimaryKeyConstraint("party_members_pkey", ["party_id", "user_id"])
    .execute();
};
