import { minutes } from "#server/time.ts";
import type { Bus, BusMessage } from "./bus.ts";
import type { Hub } from "./hub.ts";
import type { Timings } from "./options.ts";
import { closeCodes } from "./protocol.ts";

/** Milliseconds after the start of an instance in which sockets are moved to it. */
const joiningFor = minutes(5);
/** Maximum number of sockets that one call of `moveSockets` closes. */
const closedPerBeat = 100;

/** Another instance, with the number of its open sockets. */
interface Peer {
  readonly startedAt: number;
  lastSeen: number;
  sockets: number;
}

/**
 * Creates functions that move sockets to instances that have just started, e.g. after an update. An
 * instance with far more sockets than the average closes some of them every few seconds. Their
 * pages reconnect, and the proxy assigns them to an instance with fewer connections.
 */
export function createBalance(parts: { hub: Hub; bus: Bus; timings: Timings }) {
  const { hub, bus, timings } = parts;
  const peers = new Map<string, Peer>();
  let socketsBefore = 0;
  /** Time of the last call of `moveSockets` before which the number of own sockets had risen. */
  let grownAt = -Infinity;
  /** The last move: number of closed and of remaining sockets; `null` before the first one for a peer. */
  let lastMove: { closed: number; remaining: number } | null = null;

  /** Returns `true` if most sockets of the last move are open here again. */
  function haveComeBack(own: number): boolean {
    return lastMove !== null && own - lastMove.remaining > 0.75 * lastMove.closed;
  }

  return {
    /** Tells the other instances the number of open sockets of this instance. */
    announceLoad: () => bus.tell({ kind: "load", sockets: hub.sizes().sockets }),
    handleMessage(message: BusMessage, from: string): void {
      if (from === bus.instance) return;
      if (message.kind === "bye") peers.delete(from);
      if (message.kind !== "load") return;
      const now = performance.now();
      const known = peers.get(from);
      if (!known) lastMove = null;
      const peer = known ?? { startedAt: now, lastSeen: now, sockets: 0 };
      peers.set(from, peer);
      peer.lastSeen = now;
      peer.sockets = message.sockets;
    },
    /**
     * Closes some sockets if another instance has just started and this instance has far more
     * sockets than the average. Stops if the sockets come back, because the proxy then assigns each
     * client to a fixed instance. Waits while the number of own sockets rises, until all other
     * instances have announced theirs again: one of them may have crashed, and its clients connect
     * here.
     */
    moveSockets(): void {
      const now = performance.now();
      const own = hub.sizes().sockets;
      if (own > 1.05 * socketsBefore + 5) grownAt = now;
      socketsBefore = own;
      for (const [instance, { lastSeen }] of peers) if (now - lastSeen > timings.rosterLost) peers.delete(instance);
      if (![...peers.values()].some(({ startedAt }) => now - startedAt < joiningFor)) return;
      if ([...peers.values()].some(({ lastSeen }) => lastSeen < grownAt)) return;
      const total = [...peers.values()].reduce((sum, { sockets }) => sum + sockets, own);
      const average = total / (peers.size + 1);
      if (own < 1.2 * average + 50 || haveComeBack(own)) return;
      const closed = Math.min(closedPerBeat, Math.floor(own - average));
      lastMove = { closed, remaining: own - closed };
      for (const connection of [...hub.all()].slice(0, closed)) {
        hub.disconnect(connection, closeCodes.restarting, "Moved to another instance");
      }
    },
  };
}
