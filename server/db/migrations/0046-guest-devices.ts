// Party guests who join by QR code: the party's secret, the token of the guest's device, and the
// guest's request to become a member.
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx) => {
  await tx.schema.alterTable("parties").addColumn("guest_secret", "text").execute();
  for (const column of ["token_hash", "request", "requested_name"])
    await tx.schema.alterTable("party_guests").addColumn(column, "text").execute();
  await tx.schema.createIndex("party_guests_by_token").unique().on("party_guests").column("token_hash").execute();
};
