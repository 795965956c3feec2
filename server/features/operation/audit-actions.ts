import type { AuditEntry } from "#contract/audit.ts";
import type { Context } from "#server/platform/context.ts";
import { toIso } from "#server/time.ts";
import { formatAuditText } from "./audit-rules.ts";
import * as store from "./audit-store.ts";

export async function listAuditEntries(
  { db }: Pick<Context, "db">,
  before: number,
  size: number,
): Promise<{ entries: AuditEntry[]; has_more: boolean }> {
  const rows = await store.listAudit(db, before, size + 1);
  const entries = rows.slice(0, size).map((row) => ({
    id: row.id,
    via: row.via,
    action: row.action,
    at: toIso(row.at),
    text: formatAuditText(row.action, row.details),
    actor: row.actor_id === null ? null : toPerson(row.actor_id, row.actor_name, row.actor_avatar),
    member: row.member_id === null ? null : toPerson(row.member_id, row.member_name, row.member_avatar),
  }));
  return { entries, has_more: rows.length > size };
}

function toPerson(id: number, name: string | null, avatarId: string | null) {
  return { id, name: name ?? "", avatarId };
}
