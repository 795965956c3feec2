import { useInfiniteQuery, useQuery, useQueryClient, type QueryKey, type UseQueryResult } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";

import type { Endpoint, ReplyOf } from "#contract/endpoint.ts";
import type { DataOf, Event } from "#contract/event.ts";
import { call, type CallOptions } from "#web/client/api.ts";
import { keyOf, reload, replyOptions } from "#web/client/queries.ts";
import { whenVisible, type EventListener } from "#web/client/realtime.ts";
import { useClient } from "./session.ts";

export function useEvent<E extends Event>(
  event: E,
  onEvent: (data: DataOf<E>) => void,
  onSubscribed: EventListener<E>["onSubscribed"] = () => {},
): void {
  const { realtime } = useClient();
  const handleEvent = useEffectEvent(onEvent);
  const handleSubscription = useEffectEvent(onSubscribed);
  useEffect(
    () =>
      realtime.subscribe(event, {
        onEvent: (data) => handleEvent(data),
        onSubscribed: (version, data) => handleSubscription(version, data),
      }),
    [realtime, event],
  );
}

/** Refetches with every event and after every reconnection. */
export function useLiveReply<E extends Endpoint>(
  endpoint: E,
  event: Event,
  request: Pick<CallOptions<E>, "params" | "query"> = {},
): UseQueryResult<ReplyOf<E>> {
  const reloadReply = useReload(keyOf(endpoint, request));
  const refetch = (): void => whenVisible(reloadReply);
  useEvent(event, refetch, refetch);
  return useQuery(replyOptions(endpoint, request));
}

export function useReload(...keys: QueryKey[]): () => Promise<void> {
  const queries = useQueryClient();
  return () => reload(queries, ...keys);
}

/** Lists the newest first; the cursor is the last id of the previous page. */
export function usePages<E extends Endpoint, Entry extends { readonly id: number }>(
  endpoint: E,
  readPage: (reply: ReplyOf<E>) => { readonly entries: readonly Entry[]; readonly has_more: boolean },
) {
  return useInfiniteQuery({
    queryKey: [...keyOf(endpoint), "pages"],
    initialPageParam: null as number | null,
    queryFn: async ({ signal, pageParam: before }) =>
      readPage(await call(endpoint, { signal, ...(before !== null && { query: { before: String(before) } }) })),
    getNextPageParam: ({ entries, has_more }) => (has_more ? entries.at(-1)?.id : undefined),
    select: ({ pages }) => pages.flatMap(({ entries }) => entries),
  });
}
