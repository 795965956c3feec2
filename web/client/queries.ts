import {
  MutationCache,
  notifyManager,
  onlineManager,
  QueryCache,
  QueryClient,
  queryOptions,
  type QueryKey,
} from "@tanstack/react-query";
import * as z from "zod/mini";

import type { Endpoint, ReplyOf } from "#contract/endpoint.ts";
import { ApiError, call, reachable, type CallOptions } from "./api.ts";
import type { MemberStorage } from "./storage.ts";
import { throttle } from "./throttle.ts";

// Notifies in a microtask: behind other work of a starting page, two taps would appear as one step.
notifyManager.setScheduler(queueMicrotask);

// `navigator.onLine` tells only if the device has a network; the server can be unreachable nevertheless.
onlineManager.setEventListener((setOnline) => {
  setOnline(reachable.get());
  return reachable.subscribe(() => setOnline(reachable.get()));
});

/** Receives the sentence that a mutation function returned, or its error. */
export interface ChangeListener {
  onDone(text: string): void;
  onFailed(error: Error): void;
}

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: {
      /** Errors appear e.g. beside the fields of a form. */
      readonly showsErrors?: boolean;
    };
    queryMeta: {
      /** The browser stores the reply under this name for the next visit. */
      readonly keptAs?: string;
    };
  }
}

/** Pauses a query until the server can be reached; a change fails at once. */
export function createQueryClient(storage: MemberStorage, { onDone, onFailed }: ChangeListener): QueryClient {
  const queryCache = new QueryCache();
  queryCache.subscribe((event) => {
    if (event.type !== "updated" || event.action.type !== "success") return;
    const { meta, state } = event.query;
    if (meta?.keptAs !== undefined) storage.set(meta.keptAs, { at: Date.now(), reply: state.data } satisfies KeptReply);
  });
  return new QueryClient({
    queryCache,
    mutationCache: new MutationCache({
      onSuccess(result) {
        if (typeof result === "string") onDone(result);
      },
      onError(error, _variables, _onMutate, { meta }) {
        if (meta?.showsErrors !== true) onFailed(error);
      },
    }),
    defaultOptions: {
      queries: {
        networkMode: "offlineFirst",
        // Reopened pages show their last data while offline.
        gcTime: Infinity,
        // Another failure would make the server unreachable and then reachable, and refetch the query in a loop.
        refetchOnReconnect: ({ state }) => state.status !== "error",
        retry: (failures, error) => failures < 2 && isRetryable(error),
      },
      mutations: { networkMode: "always" },
    },
  });
}

/** Calls with the same parameters share one key. */
export function replyOptions<E extends Endpoint>(endpoint: E, request: Omit<CallOptions<E>, "body" | "signal"> = {}) {
  return queryOptions<ReplyOf<E>>({
    queryKey: keyOf(endpoint, request),
    queryFn: ({ signal }) => call(endpoint, { ...request, signal }),
  });
}

const keptReply = z.object({ at: z.number(), reply: z.unknown() });
type KeptReply = z.output<typeof keptReply>;

/**
 * Returns options with which a query starts with the reply of the last visit, under the name `keptAs`, unless
 * `isCurrent` returns `false` for the time of that reply (epoch ms).
 */
export function keptOptions<E extends Endpoint>(
  storage: MemberStorage,
  endpoint: E,
  keptAs: string,
  isCurrent: (at: number) => boolean = () => true,
) {
  const find = (): ReplyOf<E> | undefined => {
    const kept = storage.get(keptAs, keptReply);
    if (kept === null || !isCurrent(kept.at)) return undefined;
    return endpoint.reply?.safeParse(kept.reply).data as ReplyOf<E> | undefined;
  };
  return { meta: { keptAs }, initialData: find, initialDataUpdatedAt: 0 };
}

/**
 * Returns e.g. `["admin", "webhooks"]` for `/api/admin/webhooks`, followed by the parameters. Without these, the key is
 * a prefix for all calls of the endpoint.
 */
export function keyOf<E extends Endpoint>(
  { path }: E,
  { params, query }: Pick<CallOptions<E>, "params" | "query"> = {},
): QueryKey {
  return [...path.split("/").slice(2), ...(params ? [params] : []), ...(query ? [query] : [])];
}

/**
 * Refetches the active queries under these keys. Resolves early if the server is unreachable; they are refetched later.
 */
export async function reload(queries: QueryClient, ...keys: QueryKey[]): Promise<void> {
  const lost = Promise.withResolvers<void>();
  if (!reachable.get()) lost.resolve();
  const stop = reachable.subscribe(() => reachable.get() || lost.resolve());
  await Promise.race([lost.promise, Promise.all(keys.map((key) => reloadKey(queries, key)))]);
  stop();
}

async function reloadKey(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  const isFirstLoad = queries.isFetching({ queryKey, predicate: ({ state }) => state.data === undefined }) > 0;
  await queries.invalidateQueries({ queryKey });
  // TanStack Query waits for a first load in flight, whose reply may be older than the change that caused this reload.
  if (isFirstLoad) await queries.invalidateQueries({ queryKey }, { cancelRefetch: false });
}

const reloadPauseMs = 500;

/** Refetches like `reload`, and once more after a burst of calls with the same key. */
export function createReloader(queries: QueryClient): (...keys: QueryKey[]) => void {
  const reloads = new Map<string, () => void>();
  return (...keys) => {
    for (const key of keys) {
      const name = JSON.stringify(key);
      const run = reloads.get(name) ?? throttle(() => reload(queries, key), reloadPauseMs);
      reloads.set(name, run);
      run();
    }
  };
}

/** Returns `false` for the server's refusals. */
function isRetryable(error: Error): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}
