// Webhooks, their kinds of events, and their deliveries.
import { identity, required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx, kind) => {
  await tx.schema
    .createTable("webhooks")
    .addColumn("id", "integer", identity(kind))
    .addColumn("name", "text", required)
    .addColumn("format", "text", required)
    .addColumn("url", "text", required)
    .addColumn("token", "text", required)
    .addColumn("secret", "text", required)
    .addColumn("created_by", "integer", (column) => column.references("users.id").onDelete("set null"))
    .addColumn("created_at", "bigint", required)
    .addColumn("paused_at", "bigint")
    .addColumn("failures", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("failing_since", "bigint")
    .addColumn("last_beer_id", "integer", required)
    .addColumn("summarized_at", "bigint", required)
    .execute();
  await tx.schema
    .createTable("webhook_events")
    .addColumn("webhook_id", "integer", (column) => column.notNull().references("webhooks.id").onDelete("cascade"))
    .addColumn("event", "text", required)
    .addPrimaryKeyConstraint("webhook_events_key", ["webhook_id", "event"])
    .execute();
  await tx.schema
    .createTable("webhook_deliveries")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("webhook_id", "integer", (column) => column.notNull().references("webhooks.id").onDelete("cascade"))
    .addColumn("message", "text", required)
    .addColumn("event", "text", required)
    .addColumn("created_at", "bigint", required)
    .addColumn("due_at", "bigint", required)
    .addColumn("state", "text", required)
    .addColumn("attempts", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("status", "integer")
    .addColumn("failure", "text")
    .execute();
  await tx.schema.createIndex("webhook_deliveries_due").on("webhook_deliveries").columns(["state", "due_at"]).execute();
  await tx.schema
    .createIndex("webhook_deliveries_of")
    .on("webhook_deliveries")
    .columns(["webhook_id", "created_at"])
    .execute();
};
