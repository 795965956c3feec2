import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";

import type { Endpoint, ReplyOf } from "#contract/endpoint.ts";
import { getReleaseCheck, type ReleaseCheck } from "#contract/releases.ts";
import { call, type CallOptions } from "#web/client/api.ts";
import { reload, replyOptions } from "#web/client/queries.ts";

export const adminKey = ["admin"];

export interface OneTimeLink {
  readonly url: string;
  readonly expires_at: string;
}

export function useAdminCall(): <E extends Endpoint>(endpoint: E, options: CallOptions<E>) => Promise<ReplyOf<E>> {
  const queries = useQueryClient();
  return async (endpoint, options) => {
    const reply = await call(endpoint, options);
    await reload(queries, adminKey);
    return reply;
  };
}

export function useReleaseCheck(): UseQueryResult<ReleaseCheck> {
  return useQuery(replyOptions(getReleaseCheck));
}
