import type { UseInfiniteQueryResult } from "@tanstack/react-query";

import { getAudit, type AuditEntry } from "#contract/audit.ts";
import { usePages } from "#web/data/use-pages.ts";
import { adminKey } from "#web/shared/admin/queries.ts";

export function useAudit(): UseInfiniteQueryResult<AuditEntry[]> {
  return usePages([...adminKey, "audit"], getAudit, (page) => page);
}
