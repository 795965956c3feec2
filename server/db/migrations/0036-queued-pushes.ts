// The queue of pushes. It replaces the table kept_pushes, which instances of the previous release
// still use until they are updated.
import { identity, required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx, kind) => {
  await tx.schema
    .createTable("queued_pushes")
    .addColumn("id", kind === "postgres" ? "bigint" : "integer", identity(kind))
    .addColumn("subscription_id", "integer", required)
    .addColumn("payload", "text", required)
    .addColumn("topic", "text", required)
    .addColumn("permission", "text")
    .addColumn("expires_at", "bigint", required)
    .addColumn("due_at", "bigint", required)
    .addColumn("failures", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await tx.schema.createIndex("queued_pushes_by_due").on("queued_pushes").column("due_at").execute();
};
