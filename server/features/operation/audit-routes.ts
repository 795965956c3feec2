import { getAudit } from "#contract/audit.ts";
import { maxId } from "#server/db/paginate.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { listAuditEntries } from "./audit-actions.ts";

const pageSize = 50;

export function addAuditRoutes(context: Context): void {
  handle(context.http, getAudit, ({ query: { before = maxId } }) => listAuditEntries(context, before, pageSize));
}
