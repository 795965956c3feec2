import type { AuditAction, AuditDetails } from "#contract/audit.ts";
import type { Db } from "#server/db/connect.ts";

/** `null` for a change on the command line. */
export type Actor = number | null;

/** An actor who loses the permission during a long change, e.g. an upload, is refused when storing it. */
export interface Change {
  readonly by: Actor;
  readonly at: number;
}

/** Call it in the transaction of the change. */
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
