import type { UseQueryResult } from "@tanstack/react-query";

import { getMemberBeers } from "#contract/corrections.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import { getManagedMembers, type ManagedMember } from "#contract/member-management.ts";
import { useReply } from "#web/data/query-client.ts";
import { adminKey } from "#web/shared/admin/queries.ts";

export function useMembers(): UseQueryResult<ManagedMember[]> {
  return useReply(getManagedMembers, { queryKey: [...adminKey, "members"] });
}

/** Loads a member's beers of the last seven days, newest first. */
export function useMemberBeers(id: number): UseQueryResult<ReplyOf<typeof getMemberBeers>> {
  return useReply(getMemberBeers, { queryKey: [...adminKey, "beers", id], request: { params: { id } } });
}
