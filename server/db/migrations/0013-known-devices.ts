// Browsers that have logged in to an account before. Each of them, and each session, counts failed
// logins separately.
import type { ColumnDefinitionBuilder } from "kysely";

import { owner, required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

const fromZero = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0);

export const up: Migration["up"] = async (tx) => {
  await tx.schema
    .createTable("known_devices")
    .addColumn("id", "text", required)
    .addColumn("user_id", "integer", owner)
    .addColumn("last_login_at", "bigint", required)
    .addColumn("failed_logins", "integer", fromZero)
    .addColumn("locked_until", "bigint", fromZero)
    .addPrimaryKeyConstraint("known_devices_key", ["id", "user_id"])
    .execute();
  await tx.schema.createIndex("known_devices_by_user").on("known_devices").column("user_id").execute();

  await tx.schema.alterTable("sessions").addColumn("failed_logins", "integer", fromZero).execute();
  await tx.schema.alterTable("sessions").addColumn("locked_until", "bigint", fromZero).execute();
};
