import type { UseQueryResult } from "@tanstack/react-query";

import { getOwnDoors, type OwnDoors } from "#contract/calendar-lottery.ts";
import { useReply } from "#web/data/query-client.ts";

/**
 * Queries the member's own calendar doors and shares the cache entry with the calendar page.
 * `isEnabled` delays the query until the counters are fetched.
 */
export function useOwnDoors(isEnabled: boolean): UseQueryResult<OwnDoors> {
  return useReply(getOwnDoors, {
    queryKey: ["christmas-calendar", "own"],
    enabled: isEnabled,
    staleTime: 60_000,
    kept: { name: "own-doors" },
  });
}
