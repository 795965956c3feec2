// Reason for the last failed start of a game server.
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx) => {
  await tx.schema.alterTable("game_servers").addColumn("start_failure", "text").execute();
};
