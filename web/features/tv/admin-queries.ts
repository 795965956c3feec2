import type { UseQueryResult } from "@tanstack/react-query";

import { getTvLinks, type TvLink } from "#contract/tv.ts";
import { useReply } from "#web/data/query-client.ts";
import { adminKey } from "#web/shared/admin/queries.ts";

export function useTvLinks(): UseQueryResult<TvLink[]> {
  return useReply(getTvLinks, { queryKey: [...adminKey, "tv"] });
}
