// Tokens with which members' programs call the API.
import { identity, owner, required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx, kind) => {
  await tx.schema
    .createTable("api_tokens")
    .addColumn("id", "integer", identity(kind))
    .addColumn("user_id", "integer", owner)
    .addColumn("token_hash", "text", (column) => column.notNull().unique())
    .addColumn("name", "text", required)
    .addColumn("scope", "text", required)
    .addColumn("created_at", "bigint", required)
    .addColumn("expires_at", "bigint")
    .addColumn("last_used_at", "bigint")
    .execute();
  await tx.schema.createIndex("api_tokens_by_user").on("api_tokens").column("user_id").execute();
};
