// Several reset links per member, each with its creator. Revokes invitations and TV links that
// former administrators created.
import { sql } from "kysely";

import { identity, owner, required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx, kind) => {
  const links = await tx.selectFrom("reset_tokens").select(["user_id", "token_hash", "expires_at"]).execute();
  await tx.schema.dropTable("reset_tokens").execute();
  await tx.schema
    .createTable("reset_tokens")
    .addColumn("id", "integer", identity(kind))
    .addColumn("user_id", "integer", owner)
    .addColumn("token_hash", "text", (column) => column.notNull().unique())
    .addColumn("is_mailed", "integer", required)
    .addColumn("created_by", "integer", (column) => column.references("users.id").onDelete("set null"))
    .addColumn("expires_at", "bigint", required)
    .execute();
  await tx.schema.createIndex("reset_tokens_by_user").on("reset_tokens").column("user_id").execute();
  // The creator of these links is unknown. Treats them like links of an administrator: valid until
  // they are used or expire.
  for (const link of links) {
    await tx
      .insertInto("reset_tokens")
      .values({ ...link, is_mailed: 0, created_by: null })
      .execute();
  }

  const formerAdmins = tx
    .selectFrom("users")
    .select("id")
    .where(({ or, eb }) =>
      or([eb("disabled_at", "is not", null), eb(sql<string>`permissions`, "not like", '%"admin"%')]),
    );
  await tx
    .updateTable("invitations")
    .set({ revoked_at: Date.now() })
    .where("created_by", "in", formerAdmins)
    .where("revoked_at", "is", null)
    .where("uses_left", ">", 0)
    .where("expires_at", ">", Date.now())
    .execute();
  await tx.deleteFrom("tv_links").where("created_by", "in", formerAdmins).execute();
};
