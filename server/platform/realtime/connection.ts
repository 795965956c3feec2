import type { WebSocket } from "ws";

import type { Access } from "./options.ts";

/** A client with more than this waiting does not read: it is disconnected, and reads the state when it reconnects. */
const maxBufferedBytes = 1024 * 1024;

export type Connection = ReturnType<typeof createConnection>;

/** One open socket and its state. */
export function createConnection(socketId: string, webSocket: WebSocket, now: number) {
  const health = { lastPing: now, lastSeen: now, flushed: 0, flushedBefore: 0, progressAt: now };
  return {
    socketId,
    webSocket,
    openedAt: now,
    /** Null while the socket is anonymous; then it receives no events. */
    access: null as Access | null,
    isSignedIn: false,
    channels: new Set<string>(),
    /** Channel → hash of the session that may join it, once. */
    grants: new Map<string, string>(),
    /** Messages are answered one after the other, in order. */
    work: Promise.resolve(),
    allowance: { windowStart: now, messages: 0, refusals: 0 },
    health,
    onFlushed: () => {
      health.flushed += 1;
    },
  };
}

/** Sends one text frame. A client with more than 1 MiB waiting is cut instead, as a close frame would not reach it either. */
export function sendFrame(connection: Connection, frame: string | Buffer): void {
  const { webSocket } = connection;
  if (webSocket.readyState !== webSocket.OPEN) return;
  if (webSocket.bufferedAmount > maxBufferedBytes) {
    webSocket.terminate();
    return;
  }
  webSocket.send(frame, { binary: false }, connection.onFlushed);
}
