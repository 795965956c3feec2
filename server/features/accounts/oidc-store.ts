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
  await db.deleteFrom("oidc_logouts").where("expires_at", "<=", now).execute();
  await db.deleteFrom("oidc_requests").where("expires_at", "<=", now).execute();
  await db.deleteFrom("oidc_registrations").where("expires_at", "<=", now).execute();
}

/** Throws a unique violation if the identity or the member is linked already. */
export async function createIdentity(
  tx: Db,
  identity: Omit<Insertable<Tables["oidc_identities"]>, "id">,
): Promise<number> {
  return (await tx.insertInto("oidc_identities").values(identity).returning("id").executeTakeFirstOrThrow()).id;
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

/** `false` if the logout token was received before. */
export async function claimLogout(tx: Db, logout: Tables["oidc_logouts"]): Promise<boolean> {
  const { numInsertedOrUpdatedRows: inserted } = await tx
    .insertInto("oidc_logouts")
    .values(logout)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return inserted === 1n;
}

/**
 * Deletes sessions that began at the provider: those with `sid`, or all of the member. A session of an earlier version has
 * no `sid`, and ends with any of its member. Returns the deleted ones.
 */
export async function deleteOidcSessions(tx: Db, { userId, sid }: { userId: number | null; sid: string | null }) {
  return tx
    .deleteFrom("sessions")
    .where("is_from_oidc", "=", 1)
    .$if(userId !== null, (query) => query.where("user_id", "=", userId!))
    .$if(sid !== null, (query) =>
      query.where(({ eb, or }) =>
        or([eb("oidc_sid", "=", sid), ...(userId === null ? [] : [eb("oidc_sid", "is", null)])]),
      ),
    )
    .returning(["id", "user_id"])
    .execute();
}

export async function upsertGrant(tx: Db, grant: Tables["oidc_grants"]): Promise<void> {
  const { identity_id: _, ...values } = grant;
  await tx
    .insertInto("oidc_grants")
    .values(grant)
    .onConflict((conflict) => conflict.column("identity_id").doUpdateSet(values))
    .execute();
}

/** Oldest first. */
export async function listGrants(db: Db, issuer: string, checkedBefore: number) {
  return db
    .selectFrom("oidc_grants")
    .innerJoin("oidc_identities", "oidc_identities.id", "identity_id")
    .select(["identity_id", "refresh_token", "checked_at", "user_id", "subject"])
    .where("issuer", "=", issuer)
    .where("checked_at", "<=", checkedBefore)
    .orderBy("checked_at")
    .execute();
}

/** `false` if a login has replaced the refresh token since. */
export async function updateGrant(
  tx: Db,
  { identity_id, refresh_token }: { identity_id: number; refresh_token: string },
  changes: Partial<Tables["oidc_grants"]>,
): Promise<boolean> {
  return exists(
    tx
      .updateTable("oidc_grants")
      .set(changes)
      .where("identity_id", "=", identity_id)
      .where("refresh_token", "=", refresh_token)
      .returning("identity_id"),
  );
}

/** `false` if a login has replaced the refresh token since. */
export async function deleteGrant(
  tx: Db,
  { identity_id, refresh_token }: { identity_id: number; refresh_token: string },
): Promise<boolean> {
  return exists(
    tx
      .deleteFrom("oidc_grants")
      .where("identity_id", "=", identity_id)
      .where("refresh_token", "=", refresh_token)
      .returning("identity_id"),
  );
}
