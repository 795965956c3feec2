import type { UseInfiniteQueryResult } from "@tanstack/react-query";

import { getInvitations, type Invitation } from "#contract/invitations.ts";
import { adminKey } from "#web/admin/api.ts";
import { usePages } from "#web/data/use-pages.ts";

export function useInvitations(): UseInfiniteQueryResult<Invitation[]> {
  const queryKey = [...adminKey, "invitations"];
  return usePages(queryKey, getInvitations, ({ invitations, has_more }) => ({ entries: invitations, has_more }));
}
