import { createStore, useStore } from "./store.ts";

/** Whether events arrive from the server: `offline` only when they did not for a while. */
export type Connection = "connecting" | "online" | "offline";

/** Shorter interruptions are not shown; nor is a first connection on a slow line, which takes longer. Milliseconds. */
const offlineDelays = { interrupted: 5_000, first: 10_000 };

const connection = createStore<Connection>("connecting");
let offlineDelay = offlineDelays.first;
let offlineTimer: ReturnType<typeof setTimeout> | undefined;

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

/** Nobody is connected, and nobody wants to be. */
export function resetConnection(): void {
  clearTimeout(offlineTimer);
  offlineDelay = offlineDelays.first;
  connection.set("connecting");
}
