import { notifyManager, QueryClient, useQuery as useQueryOf, type UseQueryOptions } from "@tanstack/react-query";

import { ApiError } from "./api.ts";
import { onMemberChange } from "./session.ts";

// Not with a timer, as the library does: it waits behind other work while a page starts, and then shows two taps as one step.
notifyManager.setScheduler(queueMicrotask);

/** Everything the pages know from the server; emptied whenever the member changes. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      networkMode: "always",
      retry: (failures, error) => failures < 2 && isRetryable(error),
    },
    mutations: { networkMode: "always" },
  },
});
queryClient.mount();
onMemberChange(() => queryClient.clear());

/** The library's, without a provider around the app: so pages that ask for nothing load without the library. */
export const useQuery = ((options: UseQueryOptions) => useQueryOf(options, queryClient)) as typeof useQueryOf;

/** Only what may pass by itself; a refusal stays a refusal. */
function isRetryable(error: Error): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}
