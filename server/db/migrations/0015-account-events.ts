// Security events of an account, shown only to the member who owns it.
import { identity, owner, required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx, kind) => {
  await tx.schema
    .createTable("account_events")
    .addColumn("id", "integer", identity(kind))
    .addColumn("user_id", "integer", owner)
    .addColumn("at", "bigint", required)
    .addColumn("kind", "text", required)
    .addColumn("device", "text", required)
    .execute();
  await tx.schema.createIndex("account_events_by_user").on("account_events").columns(["user_id", "id"]).execute();
};
