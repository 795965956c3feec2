import { QueryClient, useQuery as useQueryOf, type UseQueryOptions } from "@tanstack/react-query";

import { ApiError } from "./api.ts";
import { onMemberChange } from "./session.ts";

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
