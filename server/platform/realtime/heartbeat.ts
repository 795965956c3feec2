import type { Connection } from "./connection.ts";
import type { Timings } from "./options.ts";

/**
 * Returns the function that checks every connection: pings it with WebSocket pings (which browsers answer even in inactive
 * tabs), and cuts it if it does not answer or reads nothing of what waits for it.
 */
export function createHeartbeat(connections: () => Iterable<Connection>, timings: Timings): () => void {
  let lastBeat = performance.now();

  return () => {
    const now = performance.now();
    const wasAsleep = now - lastBeat > 3 * timings.beat;
    lastBeat = now;
    for (const connection of connections()) {
      // After the whole machine was suspended, the answers are still unread: all deadlines start again.
      if (wasAsleep) connection.health.lastSeen = connection.health.lastPing = connection.health.progressAt = now;
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
