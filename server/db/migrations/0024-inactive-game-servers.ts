// is_active is 0 for program-running game servers of a restored backup: they have to be enabled on the machine first.
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx) => {
  await tx.schema
    .alterTable("game_servers")
    .addColumn("is_active", "integer", (column) => column.notNull().defaultTo(1))
    .execute();
};
