// What happened to an account, for its member.
import type { Transaction } from "kysely";

import { identity, owner, required } from "../columns.ts";
import type { DatabaseKind } from "../connect.ts";
import type { Tables } from "../tables.ts";

export async function up(tx: Transaction<Tables>, kind: DatabaseKind): Promise<void> {
  await tx.schema
    .createTable("account_events")
    .addColumn("id", "integer", identity(kind))
    .addColumn("user_id", "integer", owner)
    .addColumn("at", "bigint", required)
    .addColumn("kind", "text", required)
    .addColumn("device", "text", required)
    .execute();
  await tx.schema.createIndex("account_events_by_user").on("account_events").columns(["user_id", "id"]).execute();
}
