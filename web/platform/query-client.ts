import {
  notifyManager,
  QueryClient,
  useQuery as useQueryOf,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
} from "@tanstack/react-query";

import type { Endpoint, ReplyOf } from "#contract/endpoint.ts";
import { ApiError, call, type CallOptions } from "./api.ts";
import { onMemberChange } from "./session.ts";

// Not with a timer, as the library does: it waits behind other work while a page starts, and then shows two taps as one step.
notifyManager.setScheduler(queueMicrotask);

/** Everything the pages know from the server; loaded again whenever a page is opened, emptied whenever the member changes. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: "always",
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
}

/** What an endpoint answers, kept under `queryKey`. */
export function useReply<E extends Endpoint, Shown = ReplyOf<E>>(
  endpoint: E,
  { request, ...options }: ReplyOptions<E, Shown>,
): UseQueryResult<Shown> {
  return useQuery({ ...options, queryFn: ({ signal }) => call(endpoint, { ...request, signal }) });
}

/** Loads again what is kept under these keys, as far as it is on the screen. */
export function reload(...keys: QueryKey[]): Promise<unknown> {
  return Promise.all(keys.map(reloadKey));
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
