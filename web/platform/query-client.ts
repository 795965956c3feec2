import {
  notifyManager,
  onlineManager,
  QueryClient,
  useQuery as useQueryOf,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
} from "@tanstack/react-query";

import type { Endpoint, ReplyOf } from "#contract/endpoint.ts";
import { ApiError, call, type CallOptions } from "./api.ts";
import { findKeptReply, keepReply, type KeptReply } from "./kept-reply.ts";
import { isReachable, onReachabilityChange } from "./reachability.ts";
import { onMemberChange } from "./session.ts";

// Not with a timer, as the library does: it waits behind other work while a page starts, and then shows two taps as one step.
notifyManager.setScheduler(queueMicrotask);

// `navigator.onLine` only knows about networks; the server can be unreachable, too.
onlineManager.setEventListener((setOnline) => {
  setOnline(isReachable());
  return onReachabilityChange(setOnline);
});

/**
 * Everything the pages know from the server; refetched whenever a page is opened, cleared whenever the member changes. A query that
 * does not reach the server is paused, not failed: it continues as soon as the server is reachable.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: "offlineFirst",
      // Otherwise a query whose request always fails would lose the server, find it, and be refetched in a loop.
      refetchOnReconnect: ({ state }) => state.status !== "error",
      retry: (failures, error) => failures < 2 && isRetryable(error),
    },
  },
});
queryClient.mount();
onMemberChange(() => queryClient.clear());

/** The library's, without a provider around the app: so pages that ask for nothing load without the library. */
export const useQuery = ((options: UseQueryOptions) => useQueryOf(options, queryClient)) as typeof useQueryOf;

interface ReplyOptions<E extends Endpoint, Shown> extends Omit<UseQueryOptions<ReplyOf<E>, Error, Shown>, "queryFn"> {
  /** What the call says besides. */
  readonly request?: CallOptions<E>;
  readonly kept?: KeptReply;
}

/** What an endpoint answers, kept under `queryKey`. */
export function useReply<E extends Endpoint, Shown = ReplyOf<E>>(
  endpoint: E,
  { request, kept, ...options }: ReplyOptions<E, Shown>,
): UseQueryResult<Shown> {
  return useQuery({
    ...options,
    ...(kept && { initialData: () => findKeptReply(endpoint, kept), initialDataUpdatedAt: 0 }),
    queryFn: async ({ signal }) => {
      const reply = await call(endpoint, { ...request, signal });
      if (kept) keepReply(kept.name, reply);
      return reply;
    },
  });
}

/** Refetches the queries on the screen under these keys. Resolves early if the server is unreachable; they continue later. */
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
  // The library waited for the answer that was on its way. It may be older than what changed.
  if (isFirstLoad) await queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false });
}

/** Only what may pass by itself; a refusal stays a refusal. */
function isRetryable(error: Error): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}
