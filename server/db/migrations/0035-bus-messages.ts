// Messages between instances, written in the transaction of the change that they announce. Only PostgreSQL has several
// instances; on SQLite the table remains empty.
import { sql } from "kysely";

import { identity, required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx, kind) => {
  const isPostgres = kind === "postgres";
  const transaction = isPostgres ? sql`txid_current()` : 0;
  const now = isPostgres ? sql`(extract(epoch from clock_timestamp()) * 1000)::bigint` : 0;
  await tx.schema
    .createTable("bus_messages")
    .addColumn("id", isPostgres ? "bigint" : "integer", identity(kind))
    .addColumn("transaction_id", "bigint", (column) => column.notNull().defaultTo(transaction))
    .addColumn("sent_at", "bigint", (column) => column.notNull().defaultTo(now))
    .addColumn("instance", "text", required)
    .addColumn("message", "text", required)
    .addColumn("excludes_sender", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await tx.schema.createIndex("bus_messages_by_transaction").on("bus_messages").column("transaction_id").execute();
  await tx.schema.createIndex("bus_messages_by_time").on("bus_messages").column("sent_at").execute();
};
