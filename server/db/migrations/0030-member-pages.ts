// A setting that hides a member's page, and the id of the newest app news that the member has seen.
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx) => {
  for (const [column, usual] of [
    ["is_mat_shown", 1],
    ["news_seen", 0],
  ] as const)
    await tx.schema
      .alterTable("users")
      .addColumn(column, "integer", (definition) => definition.notNull().defaultTo(usual))
      .execute();
  // Serves queries that read the days of one member in order.
  await tx.schema
    .createIndex("beer_member_days_of_member")
    .on("beer_member_days")
    .columns(["user_id", "day"])
    .execute();
};
