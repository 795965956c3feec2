// Pairing codes shown by TVs until an administrator enters them.
import { identity, required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx, kind) => {
  await tx.schema
    .createTable("tv_pairings")
    .addColumn("id", "integer", identity(kind))
    .addColumn("code_hash", "text", (column) => column.notNull().unique())
    .addColumn("secret_hash", "text", (column) => column.notNull().unique())
    .addColumn("expires_at", "bigint", required)
    .addColumn("paired_at", "bigint")
    .execute();
};
