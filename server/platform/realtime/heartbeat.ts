import type { Connection } from "./connection.ts";
import type { Timings } from "./options.ts";

/**
 * Looks at every socket in turn: pings it on the protocol's own level (answered by browsers even in sleeping tabs), cuts
 * it when no sign of life follows, and cuts it when it took nothing of what waits for it.
 */
export function createHeartbeat(connections: () => Iterable<Connection>, timings: Timings): () => void {
  let lastBeat = performance.now();

  return () => {
    const now = performance.now();
    const wasAsleep = now - lastBeat > 3 * timings.beat;
    lastBeat = now;
    for (const connection of connections()) {
      // After a pause of the whole machine the answers are still waiting to be read: everybody starts afresh.
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
