// Settings of members: hidden from the list of online members, and paused (absent from the
// ranking).
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx) => {
  for (const [name, usual] of [
    ["is_shown", 1],
    ["is_paused", 0],
  ] as const) {
    await tx.schema
      .alterTable("users")
      .addColumn(name, "integer", (column) => column.notNull().defaultTo(usual))
      .execute();
  }
};
