import {
  notifyManager,
  onlineManager,
  QueryClient,
  useQuery,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
} from "@tanstack/react-query";

import type { Endpoint, ReplyOf } from "#contract/endpoint.ts";
import { onMemberChange } from "#web/session/session.ts";
import { ApiError, call, type CallOptions } from "./api.ts";
import { findKeptReply, keepReply, type KeptReply } from "./kept-reply.ts";
import { isReachable, onReachabilityChange } from "./reachability.ts";

// Notifies components in a microtask. The library's timer would wait behind other work while a page
// starts, and two taps would then appear as one step.
notifyManager.setScheduler(queueMicrotask);

// `navigator.onLine` tells only if the device has a network; the server can be unreachable
// nevertheless.
onlineManager.setEventListener((setOnline) => {
  setOnline(isReachable());
  return onReachabilityChange(setOnline);
});

/**
 * Caches all data of the server. Data is refetched when a page opens, and deleted at every login
 * and logout. A query that cannot reach the server is paused and continues once the server is
 * reachable.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: "offlineFirst",
      // A failed query is not refetched: if its request failed again, the server would count as
      // unreachable and then as reachable, which would refetch the query in a loop.
      refetchOnReconnect: ({ state }) => state.status !== "error",
      retry: (failures, error) => failures < 2 && isRetryable(error),
    },
  },
});
queryClient.mount();
onMemberChange(() => queryClient.clear());

interface ReplyOptions<E extends Endpoint, Shown> extends Omit<UseQueryOptions<ReplyOf<E>, Error, Shown>, "queryFn"> {
  /** Options of the call to the endpoint. */
  readonly request?: CallOptions<E>;
  readonly kept?: KeptReply;
  /** Sends the request instead of `call`, e.g. `callConditionally`. */
  readonly fetchReply?: (endpoint: E, options: CallOptions<E>) => Promise<ReplyOf<E>>;
}

/** Queries an endpoint and caches its reply under `queryKey`. */
export function useReply<E extends Endpoint, Shown = ReplyOf<E>>(
  endpoint: E,
  { request, kept, fetchReply = call, ...options }: ReplyOptions<E, Shown>,
): UseQueryResult<Shown> {
  return useQuery(
    {
      ...options,
      ...(kept && { initialData: () => findKeptReply(endpoint, kept), initialDataUpdatedAt: 0 }),
      queryFn: async ({ signal }) => {
        const reply = await fetchReply(endpoint, { ...request, signal });
        if (kept) keepReply(kept.name, reply);
        return reply;
      },
    },
    queryClient,
  );
}

/**
 * Refetches the active queries under these keys. Resolves early if the server is unreachable; the
 * queries then continue later.
 */
export async function reload(...keys: QueryKey[]): Promise<void> {
  const lost = Promise.withResolvers<void>();
  if (!isReachable()) lost.resolve();
  const stop = onReachabilityChange((isThere) => isThere || lost.resolve());
  await Promise.race([lost.promise, Promise.all(keys.map(reloadKey))]);
  stop();
}

async function reloadKey(queryKey: QueryKey): Promise<void> {
  const isFirstLoad = queryClient.isFetching({ queryKey, predicate: ({ state }) => state.data === undefined }) > 0;
  await queryClient.invalidateQueries({ queryKey });
  // If a first load was in flight, the library has not sent another request. The answer may be
  // older than the change that caused this reload, so the queries are fetched once more.
  if (isFirstLoad) await queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false });
}

/** Returns `true` for temporary failures; the server's refusals are not retried. */
function isRetryable(error: Error): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}
