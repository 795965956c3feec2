// The admin area: the audit log, the invitation that each member used, and the time of each
// member's last login.
import { identity, required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx, kind) => {
  await tx.schema
    .createTable("audit")
    .addColumn("id", "integer", identity(kind))
    .addColumn("at", "bigint", required)
    .addColumn("via", "text", required)
    .addColumn("actor_id", "integer", (column) => column.references("users.id").onDelete("set null"))
    .addColumn("action", "text", required)
    .addColumn("member_id", "integer", (column) => column.references("users.id").onDelete("set null"))
    .addColumn("details", "text", required)
    .execute();

  // No foreign key: invitations already refer to users, and tables that refer to each other cannot
  // be restored one after the other.
  await tx.schema.alterTable("users").addColumn("invitation_id", "integer").execute();
  await tx.schema.alterTable("users").addColumn("last_login_at", "bigint").execute();
  await tx.schema.createIndex("users_by_invitation").on("users").column("invitation_id").execute();
};
