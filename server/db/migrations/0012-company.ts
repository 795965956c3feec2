// Who is shown as present, and who takes a break.
import type { Transaction } from "kysely";

import type { Tables } from "../tables.ts";

export async function up(tx: Transaction<Tables>): Promise<void> {
  for (const [name, usual] of [
    ["is_shown", 1],
    ["is_paused", 0],
  ] as const) {
    await tx.schema
      .alterTable("users")
      .addColumn(name, "integer", (column) => column.notNull().defaultTo(usual))
      .execute();
  }
}
