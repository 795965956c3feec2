// A mark for restored game servers: after a restore, `is_active` is 0 for those that run a program
// of this computer, until the operator enables them.
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx) => {
  await tx.schema
    .alterTable("game_servers")
    .addColumn("is_active", "integer", (column) => column.notNull().defaultTo(1))
    .execute();
};
