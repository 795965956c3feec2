import { useInfiniteQuery, type QueryKey, type UseInfiniteQueryResult } from "@tanstack/react-query";

import type { Endpoint, ReplyOf } from "#contract/endpoint.ts";
import { call } from "./api.ts";
import { queryClient } from "./query-client.ts";

/**
 * Queries a list with cursor pagination, newest entries first; the cursor is the last id of the
 * previous page.
 */
export function usePages<E extends Endpoint, Entry extends { readonly id: number }>(
  queryKey: QueryKey,
  endpoint: E,
  readPage: (reply: ReplyOf<E>) => { readonly entries: readonly Entry[]; readonly has_more: boolean },
): UseInfiniteQueryResult<Entry[]> {
  return useInfiniteQuery(
    {
      queryKey,
      initialPageParam: null as number | null,
      queryFn: async ({ signal, pageParam: before }) =>
        readPage(await call(endpoint, { signal, ...(before !== null && { query: { before: String(before) } }) })),
      getNextPageParam: ({ entries, has_more }) => (has_more ? entries.at(-1)?.id : undefined),
      select: ({ pages }) => pages.flatMap(({ entries }) => entries),
    },
    queryClient,
  );
}
