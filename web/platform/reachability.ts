import { createStore } from "./store.ts";

/** Whether the server answers: false after a request that never arrived, true again with the next answer. */
const reachable = createStore(true);

export function reportReachability(isReachable: boolean): void {
  reachable.set(isReachable);
}

export const isReachable = reachable.get;

/** Calls `listener` whenever the server is lost or found again. */
export function onReachabilityChange(listener: (isReachable: boolean) => void): () => void {
  return reachable.subscribe(() => listener(reachable.get()));
}
