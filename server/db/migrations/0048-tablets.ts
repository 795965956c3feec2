// Tablets that book beers, the settings of members for them, and who booked a beer for its drinker.
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx) => {
  await tx.schema
    .alterTable("tv_links")
    .addColumn("scope", "text", (column) => column.notNull().defaultTo("tv"))
    .execute();
  for (const name of ["is_on_tablets", "is_tappable"])
    await tx.schema
      .alterTable("users")
      .addColumn(name, "integer", (column) => column.notNull().defaultTo(1))
      .execute();
  await tx.schema.alterTable("users").addColumn("pin_hash", "text").execute();
  await tx.schema
    .alterTable("beers")
    .addColumn("by_user_id", "integer", (column) => column.references("users.id"))
    .execute();
  await tx.schema.alterTable("beers").addColumn("by_tablet", "text").execute();
  await tx.schema
    .createIndex("beers_by_user")
    .on("beers")
    .columns(["by_user_id", "at"])
    .where("by_user_id", "is not", null)
    .execute();
};
