import type { UseQueryResult } from "@tanstack/react-query";

import { getOwnDoors, type OwnDoors } from "#contract/calendar-lottery.ts";
import { useReply } from "#web/platform/query-client.ts";

/** The member's own calendar doors, under the key of the calendar page; `isEnabled` delays them until the counters have been fetched. */
export function useOwnDoors(isEnabled: boolean): UseQueryResult<OwnDoors> {
  return useReply(getOwnDoors, {
    queryKey: ["christmas-calendar", "own"],
    enabled: isEnabled,
    staleTime: 60_000,
    kept: { name: "own-doors" },
  });
}
