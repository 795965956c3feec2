import type { UseQueryResult } from "@tanstack/react-query";

import { getManagedGroup, type ManagedGroup } from "#contract/group.ts";
import { useReply } from "#web/data/query-client.ts";
import { adminKey } from "#web/shared/admin/queries.ts";

export function useManagedGroup(): UseQueryResult<ManagedGroup> {
  return useReply(getManagedGroup, { queryKey: [...adminKey, "group"] });
}
