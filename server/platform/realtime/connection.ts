import type { WebSocket } from "ws";

import { megabytes } from "#contract/sizes.ts";
import type { Access } from "./options.ts";
import type { Place } from "./socket-limits.ts";

/** A client with more unsent data has stopped reading. It reads the current state when it reconnects. */
const maxBufferedBytes = megabytes(1);

export type Connection = ReturnType<typeof createConnection>;

export function createConnection(socketId: string, webSocket: WebSocket, place: Place, now: number) {
  const health = { lastPing: now, lastSeen: now, flushed: 0, flushedBefore: 0, progressAt: now };
  return {
    socketId,
    webSocket,
    place,
    openedAt: now,
    /** `null` while the socket is anonymous and receives no events. */
    access: null as Access | null,
    /** The socket may send this random token instead of signatures; `null` if the WebSocket request had no session. */
    token: null as string | null,
    isSignedIn: false,
    channels: new Set<string>(),
    /** Last queued answer: messages are answered in order, one at a time. */
    work: Promise.resolve(),
    health,
    onFlushed: () => {
      health.flushed += 1;
    },
  };
}

/** Disconnects a client with more than 1 MiB of unsent data, without a close frame, which would not reach it either. */
export function sendFrame(connection: Connection, frame: string | Buffer): void {
  const { webSocket } = connection;
  if (webSocket.readyState !== webSocket.OPEN) return;
  if (webSocket.bufferedAmount > maxBufferedBytes) {
    webSocket.terminate();
    return;
  }
  webSocket.send(frame, { binary: false }, connection.onFlushed);
}
