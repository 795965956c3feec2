// Allows counts and ids of beers beyond 2^31 on PostgreSQL. SQLite integers always have 64 bits.
import type { Migration } from "../load-migrations.ts";

const counts = {
  beers: ["id", "group_total", "own_total"],
  undone_beers: ["id", "beer_id", "group_total", "own_total"],
  beer_group: ["total"],
  beer_members: ["total"],
  beer_member_days: ["total"],
  beer_weekdays: ["total"],
  milestones: ["count"],
} as const;

export const up: Migration["up"] = async (tx, kind) => {
  if (kind === "sqlite") return;
  for (const [table, columns] of Object.entries(counts)) {
    const [first, ...others] = columns;
    // Changes all columns in one statement, so that PostgreSQL rewrites the table only once.
    let alter = tx.schema.alterTable(table).alterColumn(first, (column) => column.setDataType("bigint"));
    for (const name of others) alter = alter.alterColumn(name, (column) => column.setDataType("bigint"));
    await alter.execute();
  }
};
