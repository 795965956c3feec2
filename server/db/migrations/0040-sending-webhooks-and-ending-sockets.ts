// claimed_until is the end of an instance's claim on a delivery, by the clock of the database; null if unclaimed.
// socket_ends are requests to a hosted realtime service to end the sockets of a member, until the service accepts them.
import { identity, required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx, kind) => {
  await tx.schema.alterTable("webhook_deliveries").addColumn("claimed_until", "bigint").execute();
  await tx.schema
    .createTable("socket_ends")
    .addColumn("id", "integer", identity(kind))
    .addColumn("user_id", "integer", required)
    .execute();
};
