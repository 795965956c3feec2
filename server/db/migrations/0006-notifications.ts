// Notifications: push subscriptions, members' settings, and pending pushes that are sent after the next start.
import { identity, required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx, kind) => {
  await tx.schema
    .createTable("push_subscriptions")
    .addColumn("id", "integer", identity(kind))
    .addColumn("session_id", "text", (column) =>
      column.notNull().references("sessions.id").onUpdate("cascade").onDelete("cascade"),
    )
    .addColumn("endpoint", "text", (column) => column.notNull().unique())
    .addColumn("p256dh", "text", required)
    .addColumn("auth", "text", required)
    .addColumn("created_at", "bigint", required)
    .addColumn("delivered_at", "bigint")
    .addColumn("failures", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("failing_since", "bigint")
    .execute();
  await tx.schema.createIndex("push_subscriptions_by_session").on("push_subscriptions").column("session_id").execute();

  await tx.schema
    .createTable("push_refusals")
    .addColumn("session_id", "text", (column) =>
      column.primaryKey().references("sessions.id").onUpdate("cascade").onDelete("cascade"),
    )
    .execute();

  await tx.schema
    .createTable("notification_settings")
    .addColumn("user_id", "integer", (column) => column.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("beers", "integer", required)
    .addColumn("game_servers", "integer", required)
    .addColumn("sound", "integer", required)
    .addColumn("quiet_from", "text")
    .addColumn("quiet_until", "text")
    .execute();

  await tx.schema
    .createTable("notification_pauses")
    .addColumn("key", "text", (column) => column.primaryKey())
    .addColumn("pushed_at", "bigint", required)
    .addColumn("count", "integer", required)
    .execute();

  await tx.schema
    .createTable("kept_pushes")
    .addColumn("id", "integer", identity(kind))
    .addColumn("subscription_id", "integer", (column) =>
      column.notNull().references("push_subscriptions.id").onDelete("cascade"),
    )
    .addColumn("payload", "text", required)
    .addColumn("topic", "text", required)
    .addColumn("permission", "text")
    .addColumn("expires_at", "bigint", required)
    .execute();
};
