import type { AuditAction, AuditDetails } from "#contract/audit.ts";
import type { Db } from "#server/db/connect.ts";

/** The id of the member who makes a change; `null` for the command line. */
export type Actor = number | null;

/** The actor and time of a change. An upload may take a minute; an actor who has lost the permission by its end is refused. */
export interface Change {
  readonly by: Actor;
  readonly at: number;
}

/** Records an administrator's change. Call it in the transaction of the change itself. */
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
