// Tags of queued pushes: a newer push replaces those that still wait with the same tag for the same subscription.
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx) => {
  await tx.schema.alterTable("queued_pushes").addColumn("tag", "text").execute();
  await tx.schema.createIndex("queued_pushes_by_tag").on("queued_pushes").columns(["subscription_id", "tag"]).execute();
};
