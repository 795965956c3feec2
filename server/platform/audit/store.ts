import type { AuditAction, AuditDetails } from "#contract/admin-audit.ts";
import type { Db } from "#server/db/connect.ts";

/** Who acts: a member through a page, or null: whoever has the machine and its command line. */
export type Actor = number | null;

/** Remembers what an administrator did. Belongs into the transaction of the change itself, so that neither is without the other. */
export async function createAuditEntry<Action extends AuditAction>(
  tx: Db,
  action: Action,
  details: AuditDetails[Action],
  { at, by, memberId = null }: { at: number; by: Actor; memberId?: number | null },
): Promise<void> {
  await tx
    .insertInto("audit")
    .values({
      at,
      via: by === null ? "command" : "page",
      actor_id: by,
      action,
      member_id: memberId,
      details: JSON.stringify(details),
    })
    .execute();
}
