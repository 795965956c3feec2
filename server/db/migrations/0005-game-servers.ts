// Game servers: their settings, the requested state, and the last observed state.
import { identity, required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx, kind) => {
  await tx.schema
    .createTable("game_servers")
    .addColumn("id", "integer", identity(kind))
    .addColumn("display_name", "text", required)
    .addColumn("driver", "text", required)
    .addColumn("ref", "text", required)
    .addColumn("address", "text")
    .addColumn("query", "text", required)
    .addColumn("grace_seconds", "integer")
    .addColumn("idle_stop_minutes", "integer")
    .addColumn("position", "integer", required)
    .addColumn("created_at", "bigint", required)
    .addColumn("wanted", "text")
    .addColumn("changed_by", "integer", (column) => column.references("users.id").onDelete("set null"))
    .addColumn("changed_at", "bigint")
    .addColumn("changing", "text")
    .addColumn("changing_until", "bigint", (column) => column.notNull().defaultTo(0))
    .addColumn("phase", "text", (column) => column.notNull().defaultTo("unknown"))
    .addColumn("word", "text", (column) => column.notNull().defaultTo(""))
    .addColumn("is_alive", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("run_since", "bigint")
    .addColumn("players", "text")
    .addColumn("empty_since", "bigint")
    .addColumn("auto_stop_at", "bigint")
    .execute();
};
