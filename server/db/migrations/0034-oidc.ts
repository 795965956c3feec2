// Logins at an OpenID provider: linked identities, login requests in flight, and new members whose
// registration form is not submitted yet.
import { identity, owner, required } from "../columns.ts";
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx, kind) => {
  await tx.schema
    .alterTable("sessions")
    .addColumn("is_from_oidc", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await tx.schema
    .createTable("oidc_identities")
    .addColumn("id", "integer", identity(kind))
    .addColumn("user_id", "integer", owner)
    .addColumn("issuer", "text", required)
    .addColumn("subject", "text", required)
    .addColumn("created_at", "bigint", required)
    .addColumn("last_used_at", "bigint")
    .addUniqueConstraint("oidc_identities_by_subject", ["issuer", "subject"])
    .addUniqueConstraint("oidc_identities_by_user", ["user_id", "issuer"])
    .execute();

  await tx.schema
    .createTable("oidc_requests")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("browser_id", "text", required)
    .addColumn("purpose", "text", required)
    .addColumn("user_id", "integer", (column) => column.references("users.id").onDelete("cascade"))
    .addColumn("invitation_hash", "text")
    .addColumn("is_remembered", "integer", required)
    .addColumn("return_to", "text", required)
    .addColumn("redirect_uri", "text", required)
    .addColumn("code_verifier", "text", required)
    .addColumn("nonce", "text", required)
    .addColumn("created_at", "bigint", required)
    .addColumn("expires_at", "bigint", required)
    .execute();

  await tx.schema
    .createTable("oidc_registrations")
    .addColumn("browser_id", "text", (column) => column.primaryKey())
    .addColumn("issuer", "text", required)
    .addColumn("subject", "text", required)
    .addColumn("invitation_hash", "text")
    .addColumn("is_remembered", "integer", required)
    .addColumn("confirmed_at", "bigint", required)
    .addColumn("expires_at", "bigint", required)
    .execute();
};
