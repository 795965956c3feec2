import { createStore, useStore } from "./store.ts";

/**
 * The state of the realtime connection. A missing connection is `connecting` at first, and
 * `offline` after `offlineDelays`.
 */
export type Connection = "connecting" | "online" | "offline";

/**
 * Milliseconds until a missing connection counts as `offline`; the first connection may take longer
 * on a slow network.
 */
const offlineDelays = { interrupted: 5_000, first: 10_000 };

const connection = createStore<Connection>("connecting");
let offlineDelay = offlineDelays.first;
let offlineTimer: ReturnType<typeof setTimeout> | undefined;

export function getConnection(): Connection {
  return connection.get();
}

export function useConnection(): Connection {
  return useStore(connection);
}

export function reportConnection(isOnline: boolean): void {
  clearTimeout(offlineTimer);
  if (isOnline) {
    offlineDelay = offlineDelays.interrupted;
    return connection.set("online");
  }
  if (connection.get() === "online") connection.set("connecting");
  offlineTimer = setTimeout(() => connection.set("offline"), offlineDelay);
}

/** Resets the state to `connecting` and stops the offline timer, e.g. after a logout. */
export function resetConnection(): void {
  clearTimeout(offlineTimer);
  offlineDelay = offlineDelays.first;
  connection.set("connecting");
}
