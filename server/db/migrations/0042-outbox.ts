// Messages to the outside (mails, pushes, webhooks), which replace the tables mails, queued_pushes, kept_pushes and
// webhook_deliveries. Instances of the previous release may still fill those; a job moves their rows.
import { identity, required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx, kind) => {
  await tx.schema
    .createTable("outbox")
    .addColumn("id", "integer", identity(kind))
    .addColumn("uuid", "text", required)
    .addColumn("kind", "text", required)
    .addColumn("receiver", "text", required)
    .addColumn("tag", "text")
    .addColumn("message", "text", required)
    .addColumn("created_at", "bigint", required)
    .addColumn("expires_at", "bigint", required)
    .addColumn("due_at", "bigint", required)
    .addColumn("claimed_until", "bigint")
    .addColumn("attempts", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("state", "text", (column) => column.notNull().defaultTo("waiting"))
    .addColumn("answer", "text")
    .execute();
  await tx.schema.createIndex("outbox_due").on("outbox").columns(["state", "kind", "due_at"]).execute();
  await tx.schema.createIndex("outbox_of_receiver").on("outbox").columns(["kind", "receiver", "state"]).execute();
};
