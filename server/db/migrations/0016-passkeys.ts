// Passkeys, their challenges, and the last passkey use of a session.
import { bytes, identity, owner, required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx, kind) => {
  await tx.schema
    .createTable("passkeys")
    .addColumn("id", "integer", identity(kind))
    .addColumn("user_id", "integer", owner)
    .addColumn("credential_id", "text", (column) => column.notNull().unique())
    .addColumn("public_key", bytes(kind), required)
    .addColumn("counter", "bigint", required)
    .addColumn("transports", "text", required)
    .addColumn("name", "text", required)
    .addColumn("created_at", "bigint", required)
    .addColumn("last_used_at", "bigint")
    .execute();
  await tx.schema.createIndex("passkeys_by_user").on("passkeys").column("user_id").execute();

  await tx.schema
    .createTable("passkey_challenges")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("purpose", "text", required)
    .addColumn("session_id", "text", required)
    .addColumn("expires_at", "bigint", required)
    .execute();

  await tx.schema.alterTable("sessions").addColumn("passkey_at", "bigint").execute();
};
