// TV links, milestones (each is announced only once), and an index of beers by time.
import { sql } from "kysely";

import { identity, owner, required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx, kind) => {
  await tx.schema
    .createTable("tv_links")
    .addColumn("id", "integer", identity(kind))
    .addColumn("name", "text", required)
    .addColumn("token_hash", "text", (column) => column.notNull().unique())
    .addColumn("created_by", "integer", (column) => column.references("users.id").onDelete("set null"))
    .addColumn("created_at", "bigint", required)
    .addColumn("last_used_at", "bigint")
    .execute();

  await tx.schema
    .createTable("milestones")
    .addColumn("id", "integer", identity(kind))
    .addColumn("kind", "text", required)
    .addColumn("count", "integer", required)
    .addColumn("user_id", "integer", owner)
    .addColumn("at", "bigint", required)
    .execute();
  await tx.schema
    .createIndex("milestones_of_group")
    .on("milestones")
    .column("count")
    .unique()
    .where(sql<boolean>`kind = 'group'`)
    .execute();
  await tx.schema
    .createIndex("milestones_of_members")
    .on("milestones")
    .columns(["user_id", "count"])
    .unique()
    .where(sql<boolean>`kind = 'member'`)
    .execute();

  await tx.schema.createIndex("beers_by_time").on("beers").columns(["at", "id"]).execute();
};
