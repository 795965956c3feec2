// Marks the invitations that the first start of the server prints. Revokes such invitations if
// earlier versions left them valid after the first registration.
import { sql } from "kysely";

import type { Migration } from "../load-migrations.ts";

const week = 7 * 24 * 60 * 60_000;

export const up: Migration["up"] = async (tx) => {
  await tx.schema
    .alterTable("invitations")
    .addColumn("is_first", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  const { registered } = await tx
    .selectFrom("users")
    .select(({ fn }) => fn.min("created_at").as("registered"))
    .executeTakeFirstOrThrow();
  await tx
    .updateTable("invitations")
    .set({ is_first: 1, ...(registered !== null && { revoked_at: Date.now() }) })
    .where("created_by", "is", null)
    .where("permissions", "=", '["see-game-servers","toggle-game-servers","admin"]')
    .where(sql`expires_at - created_at`, "=", week)
    .where("created_at", "<", registered ?? Number.MAX_SAFE_INTEGER)
    .where("uses_left", ">", 0)
    .where("revoked_at", "is", null)
    .execute();
};
