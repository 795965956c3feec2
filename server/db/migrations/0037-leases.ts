// Leases: tasks that only one instance may do at a time. Only PostgreSQL has several instances; on SQLite the table
// remains empty.
import { required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx) => {
  await tx.schema
    .createTable("leases")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("holder", "text", required)
    .addColumn("expires_at", "bigint", required)
    .execute();
};
