import type { ExpressionBuilder } from "kysely";

import type { Db } from "#server/db/connect.ts";
import { exists } from "#server/db/exists.ts";
import type { Tables } from "#server/db/schema.ts";
import { noPassword } from "#server/features/members/rules.ts";

export interface AcceptedWays {
  readonly isPasswordAccepted: boolean;
  /** `null` without an OpenID provider. */
  readonly issuer: string | null;
}

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

export async function countWaysIn(db: Db, accepted: AcceptedWays): Promise<{ members: number; lockedOut: number }> {
  const enabled = db
    .selectFrom("users")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("disabled_at", "is", null);
  const all = await enabled.executeTakeFirstOrThrow();
  const able = await enabled.where(withWayIn(accepted)).executeTakeFirstOrThrow();
  return { members: Number(all.count), lockedOut: Number(all.count) - Number(able.count) };
}
