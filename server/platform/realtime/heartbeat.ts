import type { Connection } from "./connection.ts";
import type { Hub } from "./hub.ts";
import type { Timings } from "./options.ts";
import { closeCodes } from "./protocol.ts";

/**
 * Uses WebSocket pings, which browsers answer even in inactive tabs. Disconnects clients that do not answer or do not
 * read, and closes sockets that remain anonymous.
 */
export function createHeartbeat(hub: Hub, timings: Timings): () => void {
  let lastBeat = performance.now();

  return () => {
    const now = performance.now();
    const wasAsleep = now - lastBeat > 3 * timings.beat;
    lastBeat = now;
    for (const connection of hub.all()) {
      // After the computer was suspended, answers may still be unread.
      if (wasAsleep) connection.health.lastSeen = connection.health.lastPing = connection.health.progressAt = now;
      else if (!connection.access && now - connection.openedAt >= timings.anonymousFor)
        hub.disconnect(connection, closeCodes.unauthorized, "Not logged in");
      else checkConnection(connection, timings, now);
    }
  };
}

function checkConnection({ webSocket, health }: Connection, timings: Timings, now: number): void {
  if (webSocket.bufferedAmount === 0 || health.flushed !== health.flushedBefore) {
    health.flushedBefore = health.flushed;
    health.progressAt = now;
  } else if (now - health.progressAt >= timings.stalledAfter) return webSocket.terminate();

  const awaitsAnswer = health.lastSeen < health.lastPing;
  if (awaitsAnswer && now - health.lastPing >= timings.pongWithin) return webSocket.terminate();
  if (!awaitsAnswer && now - health.lastPing >= timings.pingEvery) {
    health.lastPing = now;
    webSocket.ping();
  }
}
