// Password-reset links, and the queue of outgoing mails.
import { required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx) => {
  await tx.schema
    .createTable("reset_tokens")
    .addColumn("user_id", "integer", (column) => column.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("token_hash", "text", (column) => column.notNull().unique())
    .addColumn("expires_at", "bigint", required)
    .execute();

  await tx.schema
    .createTable("mails")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("recipient", "text", required)
    .addColumn("subject", "text", required)
    .addColumn("text", "text", required)
    .addColumn("html", "text", required)
    .addColumn("due_at", "bigint", required)
    .addColumn("refusals", "integer", required)
    .addColumn("expires_at", "bigint", required)
    .execute();
  await tx.schema.createIndex("mails_by_due_at").on("mails").column("due_at").execute();
};
