import type { UseQueryResult } from "@tanstack/react-query";

import { getManagedGameServers, type ManagedGameServer } from "#contract/game-servers.ts";
import { useReply } from "#web/data/query-client.ts";
import { adminKey } from "#web/shared/admin/queries.ts";

export function useManagedGameServers(): UseQueryResult<ManagedGameServer[]> {
  return useReply(getManagedGameServers, { queryKey: [...adminKey, "game-servers"] });
}
