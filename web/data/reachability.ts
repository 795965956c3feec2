import { createStore } from "./store.ts";

/**
 * `false` after a request that did not reach the server, `true` again after the server's next
 * answer.
 */
const reachable = createStore(true);

export function reportReachability(isReachable: boolean): void {
  reachable.set(isReachable);
}

export const isReachable = reachable.get;

/** Calls `listener` whenever the server becomes unreachable or reachable. */
export function onReachabilityChange(listener: (isReachable: boolean) => void): () => void {
  return reachable.subscribe(() => listener(reachable.get()));
}
