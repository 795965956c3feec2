// is_active is 0 for game servers of a restored backup that run a program of the machine. The
// operator has to enable them.
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx) => {
  await tx.schema
    .alterTable("game_servers")
    .addColumn("is_active", "integer", (column) => column.notNull().defaultTo(1))
    .execute();
};
