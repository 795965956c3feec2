import type { ExpressionBuilder } from "kysely";

import type { Db } from "#server/db/connect.ts";
import { exists } from "#server/db/exists.ts";
import type { Tables } from "#server/db/schema.ts";
import { noPassword } from "#server/features/members/rules.ts";

/** The ways to log in that the configuration accepts. */
export interface AcceptedWays {
  /** `true` if passwords and passkeys are accepted. */
  readonly isPasswordAccepted: boolean;
  /** The OpenID provider whose identities are accepted; `null` without one. */
  readonly issuer: string | null;
}

/** Builds the condition on `users` that a member has at least one of these ways to log in. */
function withWayIn({ isPasswordAccepted, issuer }: AcceptedWays) {
  return ({ eb, or, exists: has, selectFrom }: ExpressionBuilder<Tables, "users">) => {
    const passkeys = selectFrom("passkeys").select("id").whereRef("user_id", "=", "users.id");
    const identities = selectFrom("oidc_identities").select("id").whereRef("user_id", "=", "users.id");
    return or([
      ...(isPasswordAccepted ? [eb("password_hash", "!=", noPassword), has(passkeys)] : []),
      ...(issuer === null ? [] : [has(identities.where("issuer", "=", issuer))]),
    ]);
  };
}

export async function hasWayIn(db: Db, userId: number, accepted: AcceptedWays): Promise<boolean> {
  return exists(db.selectFrom("users").select("id").where("id", "=", userId).where(withWayIn(accepted)));
}

/** Counts the enabled members, and those of them who have none of these ways to log in. */
export async function countWaysIn(db: Db, accepted: AcceptedWays): Promise<{ members: number; lockedOut: number }> {
  const enabled = db
    .selectFrom("users")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("disabled_at", "is", null);
  const all = await enabled.executeTakeFirstOrThrow();
  const able = await enabled.where(withWayIn(accepted)).executeTakeFirstOrThrow();
  return { members: Number(all.count), lockedOut: Number(all.count) - Number(able.count) };
}
