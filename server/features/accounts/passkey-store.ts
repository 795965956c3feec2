import type { Insertable } from "kysely";

import type { Db } from "#server/db/connect.ts";
import { exists } from "#server/db/exists.ts";
import type { Tables } from "#server/db/schema.ts";
import { minutes } from "#server/time.ts";

/** Time for the browser to return the signed challenge. */
export const challengeLifetimeMs = minutes(5);

export type ChallengePurpose = "add" | "login" | "confirm";

export async function createChallenge(db: Db, challenge: Tables["passkey_challenges"]): Promise<void> {
  await db.insertInto("passkey_challenges").values(challenge).execute();
}

/** Returns `false` if the challenge is unknown, used or expired, or belongs to another purpose or session. */
export async function claimChallenge(
  db: Db,
  { id, purpose, session_id }: { id: string; purpose: ChallengePurpose; session_id: string },
  now: number,
): Promise<boolean> {
  return exists(
    db
      .deleteFrom("passkey_challenges")
      .where("id", "=", id)
      .where("purpose", "=", purpose)
      .where("session_id", "=", session_id)
      .where("expires_at", ">", now)
      .returning("id"),
  );
}

export async function deleteExpiredChallenges(db: Db, now: number): Promise<void> {
  await db.deleteFrom("passkey_challenges").where("expires_at", "<=", now).execute();
}

/** Throws a unique violation if the credential is already registered. */
export async function createPasskey(tx: Db, passkey: Omit<Insertable<Tables["passkeys"]>, "id">): Promise<void> {
  await tx.insertInto("passkeys").values(passkey).execute();
}

export async function listPasskeys(db: Db, userId: number) {
  return db.selectFrom("passkeys").selectAll().where("user_id", "=", userId).orderBy("id").execute();
}

export async function findPasskey(db: Db, credentialId: string) {
  return db.selectFrom("passkeys").selectAll().where("credential_id", "=", credentialId).executeTakeFirst();
}

/** Returns `false` if the passkey was removed, or `counter` is not higher than the stored one (unless both are 0). */
export async function updatePasskeyUse(tx: Db, id: number, counter: number, at: number): Promise<boolean> {
  return exists(
    tx
      .updateTable("passkeys")
      .set({ counter, last_used_at: at })
      .where("id", "=", id)
      .$if(counter > 0, (query) => query.where("counter", "<", counter))
      .$if(counter === 0, (query) => query.where("counter", "=", 0))
      .returning("id"),
  );
}

export async function updatePasskeyName(db: Db, userId: number, id: number, name: string): Promise<boolean> {
  return exists(
    db.updateTable("passkeys").set({ name }).where("id", "=", id).where("user_id", "=", userId).returning("id"),
  );
}

export async function deletePasskey(tx: Db, userId: number, id: number): Promise<boolean> {
  return exists(tx.deleteFrom("passkeys").where("id", "=", id).where("user_id", "=", userId).returning("id"));
}

export async function deletePasskeys(tx: Db, userId: number): Promise<void> {
  await tx.deleteFrom("passkeys").where("user_id", "=", userId).execute();
}
