import type { Insertable } from "kysely";

import type { Db } from "#server/db/connect.ts";
import { exists } from "#server/db/exists.ts";
import type { Tables } from "#server/db/schema.ts";

export async function createRequest(db: Db, request: Tables["oidc_requests"]): Promise<void> {
  await db.insertInto("oidc_requests").values(request).execute();
}

export async function isSessionFromOidc(db: Db, sessionId: string): Promise<boolean> {
  return exists(db.selectFrom("sessions").select("id").where("id", "=", sessionId).where("is_from_oidc", "=", 1));
}

/** Returns `undefined` if the request is unknown, used or expired, or was started in another browser. */
export async function claimRequest(db: Db, { id, browser_id }: { id: string; browser_id: string }, now: number) {
  return db
    .deleteFrom("oidc_requests")
    .where("id", "=", id)
    .where("browser_id", "=", browser_id)
    .where("expires_at", ">", now)
    .returningAll()
    .executeTakeFirst();
}

/** Replaces an earlier registration of the same browser. */
export async function upsertRegistration(db: Db, registration: Tables["oidc_registrations"]): Promise<void> {
  const { browser_id: _, ...values } = registration;
  await db
    .insertInto("oidc_registrations")
    .values(registration)
    .onConflict((conflict) => conflict.column("browser_id").doUpdateSet(values))
    .execute();
}

/** Returns `undefined` if the registration is unknown, used or expired, or of another provider. */
export async function claimRegistration(
  tx: Db,
  { browser_id, issuer }: { browser_id: string; issuer: string },
  now: number,
) {
  return tx
    .deleteFrom("oidc_registrations")
    .where("browser_id", "=", browser_id)
    .where("issuer", "=", issuer)
    .where("expires_at", ">", now)
    .returningAll()
    .executeTakeFirst();
}

export async function deleteExpired(db: Db, now: number): Promise<void> {
  await db.deleteFrom("oidc_requests").where("expires_at", "<=", now).execute();
  await db.deleteFrom("oidc_registrations").where("expires_at", "<=", now).execute();
}

/** Throws a unique violation if the identity or the member is linked already. */
export async function createIdentity(
  tx: Db,
  identity: Omit<Insertable<Tables["oidc_identities"]>, "id">,
): Promise<void> {
  await tx.insertInto("oidc_identities").values(identity).execute();
}

export async function findIdentity(db: Db, issuer: string, subject: string) {
  return db
    .selectFrom("oidc_identities")
    .selectAll()
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
}

export async function findIdentityOfUser(db: Db, issuer: string, userId: number) {
  return db
    .selectFrom("oidc_identities")
    .selectAll()
    .where("issuer", "=", issuer)
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

export async function listIdentities(db: Db, userId: number) {
  return db.selectFrom("oidc_identities").selectAll().where("user_id", "=", userId).orderBy("id").execute();
}

export async function updateIdentityUse(tx: Db, id: number, at: number): Promise<void> {
  await tx.updateTable("oidc_identities").set({ last_used_at: at }).where("id", "=", id).execute();
}

export async function deleteIdentity(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom("oidc_identities").where("id", "=", id).execute();
}

export async function deleteIdentities(tx: Db, userId: number): Promise<void> {
  await tx.deleteFrom("oidc_identities").where("user_id", "=", userId).execute();
}
