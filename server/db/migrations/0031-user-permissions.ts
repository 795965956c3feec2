// Permissions as rows instead of a JSON column, so that queries can find the members who hold a
// permission.
import { sql } from "kysely";

import type { Permission } from "#contract/endpoint.ts";
import { owner, required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx) => {
  await tx.schema
    .createTable("user_permissions")
    .addColumn("user_id", "integer", owner)
    .addColumn("permission", "text", required)
    .addPrimaryKeyConstraint("user_permissions_key", ["user_id", "permission"])
    .execute();
  const { rows } = await sql<{ id: number; permissions: string }>`select id, permissions from users`.execute(tx);
  const held = rows.flatMap(({ id, permissions }) =>
    (JSON.parse(permissions) as Permission[]).map((permission) => ({ user_id: id, permission })),
  );
  for (const row of held) await tx.insertInto("user_permissions").values(row).execute();
  await tx.schema.alterTable("users").dropColumn("permissions").execute();
};
