import { type Selectable, sql } from "kysely";

import type { Db } from "#server/db/connect.ts";
import type { Tables } from "#server/db/schema.ts";
import { normalize, normalizeUname, toFormerColumns } from "#server/features/members/rules.ts";

export async function deleteRowsOfDeletedAccounts(db: Db, table: string, column: string): Promise<void> {
  const deleted = db.selectFrom("users").select("id").where("password_hash", "=", "");
  await sql`delete from ${sql.table(table)} where ${sql.ref(column)} in ${deleted}`.execute(db);
}

/** Overwrites all personal data, which prevents logins and frees the username and the email address. */
export async function anonymizeUser(
  tx: Db,
  userId: number,
  remains: { uname: string; name: string; email: string; disabled_at: number },
): Promise<void> {
  // The type requires all columns except the id, so that a new column cannot be forgotten.
  const row: Omit<Selectable<Tables["users"]>, "id"> = {
    ...remains,
    uname_key: normalizeUname(remains.uname),
    email_key: normalize(remains.email),
    password_hash: "",
    avatar_id: null,
    invitation_id: null,
    last_login_at: null,
    visibility: "visible",
    ...toFormerColumns("visible"),
    sees_door_owners: 0,
    is_on_tablets: 1,
    is_tappable: 1,
    pin_hash: null,
    news_seen: 0,
    created_at: remains.disabled_at,
    failed_logins: 0,
    locked_until: 0,
  };
  await tx.updateTable("users").set(row).where("id", "=", userId).execute();
}
