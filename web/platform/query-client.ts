import { QueryClient } from "@tanstack/react-query";

import { ApiError } from "./api.ts";

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

/** Only what may pass by itself; a refusal stays a refusal. */
function isRetryable(error: Error): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}
