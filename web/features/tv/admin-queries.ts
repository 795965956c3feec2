import type { UseQueryResult } from "@tanstack/react-query";

import { getTvLinks, type TvLink } from "#contract/tv.ts";
import { adminKey } from "#web/admin/api.ts";
import { useReply } from "#web/data/query-client.ts";

export function useTvLinks(): UseQueryResult<TvLink[]> {
  return useReply(getTvLinks, { queryKey: [...adminKey, "tv"] });
}
