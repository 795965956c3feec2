import { createStore, useStore } from "./store.ts";

/** Whether events arrive from the server: `offline` only when they did not for a while. */
export type Connection = "connecting" | "online" | "offline";

/** Shorter interruptions are not shown. Milliseconds. */
const offlineDelay = 5_000;

const connection = createStore<Connection>("connecting");
let offlineTimer: ReturnType<typeof setTimeout> | undefined;

export function useConnection(): Connection {
  return useStore(connection);
}

export function reportConnection(isOnline: boolean): void {
  clearTimeout(offlineTimer);
  if (isOnline) return connection.set("online");
  if (connection.get() === "online") connection.set("connecting");
  offlineTimer = setTimeout(() => connection.set("offline"), offlineDelay);
}

/** Nobody is connected, and nobody wants to be. */
export function resetConnection(): void {
  clearTimeout(offlineTimer);
  connection.set("connecting");
}
