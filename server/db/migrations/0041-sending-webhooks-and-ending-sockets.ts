// claimed_until is the end of an instance's claim on a delivery, by the clock of the database; null if unclaimed.
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx) => {
  await tx.schema.alterTable("webhook_deliveries").addColumn("claimed_until", "bigint").execute();
};
