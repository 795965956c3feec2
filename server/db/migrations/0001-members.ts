// Members and their access: accounts, pictures, sessions, invitations, login attempts.
import { bytes, identity, owner, required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx, kind) => {
  await tx.schema
    .createTable("settings")
    .addColumn("key", "text", (column) => column.primaryKey())
    .addColumn("value", "text", required)
    .execute();

  await tx.schema
    .createTable("users")
    .addColumn("id", "integer", identity(kind))
    .addColumn("uname", "text", required)
    .addColumn("uname_key", "text", (column) => column.notNull().unique())
    .addColumn("name", "text", required)
    .addColumn("email", "text", required)
    .addColumn("email_key", "text", (column) => column.notNull().unique())
    .addColumn("password_hash", "text", required)
    .addColumn("permissions", "text", required)
    .addColumn("avatar_id", "text")
    .addColumn("disabled_at", "bigint")
    .addColumn("created_at", "bigint", required)
    .addColumn("failed_logins", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("locked_until", "bigint", (column) => column.notNull().defaultTo(0))
    .execute();

  await tx.schema
    .createTable("pictures")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("user_id", "integer", owner)
    .addColumn("png", bytes(kind), required)
    .addColumn("created_at", "bigint", required)
    .execute();
  await tx.schema.createIndex("pictures_by_user").on("pictures").column("user_id").execute();

  await tx.schema
    .createTable("sessions")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("user_id", "integer", owner)
    .addColumn("is_remembered", "integer", required)
    .addColumn("user_agent", "text", required)
    .addColumn("created_at", "bigint", required)
    .addColumn("last_seen_at", "bigint", required)
    .addColumn("confirmed_at", "bigint", required)
    .execute();
  await tx.schema.createIndex("sessions_by_user").on("sessions").column("user_id").execute();

  await tx.schema
    .createTable("invitations")
    .addColumn("id", "integer", identity(kind))
    .addColumn("token_hash", "text", (column) => column.notNull().unique())
    .addColumn("permissions", "text", required)
    .addColumn("created_by", "integer", (column) => column.references("users.id").onDelete("set null"))
    .addColumn("created_at", "bigint", required)
    .addColumn("expires_at", "bigint", required)
    .addColumn("uses_left", "integer", required)
    .addColumn("revoked_at", "bigint")
    .execute();

  await tx.schema
    .createTable("login_attempts")
    .addColumn("key", "text", (column) => column.primaryKey())
    .addColumn("attempts", "integer", required)
    .addColumn("resets_at", "bigint", required)
    .execute();
};
