// The session at the OpenID provider of each login, refresh tokens with which the groups of members are looked at again,
// and the logout tokens that the provider has sent.
import { required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx) => {
  await tx.schema.alterTable("sessions").addColumn("oidc_sid", "text").execute();
  await tx.schema.alterTable("oidc_registrations").addColumn("sid", "text").execute();
  await tx.schema.alterTable("oidc_registrations").addColumn("refresh_token", "text").execute();
  await tx.schema
    .createTable("oidc_grants")
    .addColumn("identity_id", "integer", (column) =>
      column.primaryKey().references("oidc_identities.id").onDelete("cascade"),
    )
    .addColumn("refresh_token", "text", required)
    .addColumn("checked_at", "bigint", required)
    .execute();
  await tx.schema
    .createTable("oidc_logouts")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("expires_at", "bigint", required)
    .execute();
};
