// Imports whose beers are not all booked yet, and these beers in chunks.
import { identity, required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx, kind) => {
  await tx.schema
    .createTable("imports")
    .addColumn("id", "integer", identity(kind))
    .addColumn("actor_id", "integer", (column) => column.references("users.id"))
    .addColumn("is_complete", "integer", required)
    .addColumn("booked", "integer", required)
    .addColumn("touched_at", "bigint", required)
    .execute();
  await tx.schema
    .createTable("import_chunks")
    .addColumn("id", "integer", identity(kind))
    .addColumn("import_id", "integer", (column) => column.notNull().references("imports.id"))
    .addColumn("taps", "text", required)
    .execute();
  await tx.schema.createIndex("import_chunks_of").on("import_chunks").columns(["import_id", "id"]).execute();
};
