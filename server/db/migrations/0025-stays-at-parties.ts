// Several stays (time from joining to going home) per member and party, a mark for parties that a
// member ended early, and party notifications.
import { sql } from "kysely";

import { owner, required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

const earlierLength = 12 * 60 * 60_000;

export const up: Migration["up"] = async (tx) => {
  // Copies the table, because SQLite cannot change the primary key of an existing one.
  await sql`create table former_party_members as select party_id, user_id from party_members`.execute(tx);
  await tx.schema.dropTable("party_members").execute();
  await tx.schema
    .createTable("party_members")
    .addColumn("party_id", "integer", (column) => column.notNull().references("parties.id").onDelete("cascade"))
    .addColumn("user_id", "integer", owner)
    .addColumn("counts_from", "bigint", (column) => column.notNull().defaultTo(0))
    .addColumn("counts_until", "bigint")
    .addPrimaryKeyConstraint("party_members_pkey", ["party_id", "user_id", "counts_from"])
    .execute();
  await sql`insert into party_members (party_id, user_id) select party_id, user_id from former_party_members`.execute(
    tx,
  );
  await tx.schema.dropTable("former_party_members").execute();

  await tx.schema
    .alterTable("parties")
    .addColumn("is_ended_early", "integer", (column) => required(column).defaultTo(0))
    .execute();
  await tx
    .updateTable("parties")
    .set({ is_ended_early: 1 })
    .where(({ eb, ref }) => eb("ends_at", "<", eb(ref("starts_at"), "+", earlierLength)))
    .execute();

  await tx.schema
    .alterTable("notification_settings")
    .addColumn("party", "integer", (column) => required(column).defaultTo(1))
    .execute();
};
