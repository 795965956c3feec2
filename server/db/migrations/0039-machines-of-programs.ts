// machine is the machine of a program that was added with --command; null for other game servers, and for programs of
// earlier versions until they are enabled.
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx) => {
  await tx.schema.alterTable("game_servers").addColumn("machine", "text").execute();
};
