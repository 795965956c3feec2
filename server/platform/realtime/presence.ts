import { isDeepStrictEqual } from "node:util";

import { presenceChannel } from "#contract/event.ts";
import type { Bus, BusMessage, RosterMember } from "./bus.ts";
import { toUserInfo } from "./channels.ts";
import type { Connection } from "./connection.ts";
import type { Fanout } from "./fanout.ts";
import type { Timings } from "./options.ts";
import { encodeFrame } from "./protocol.ts";

/**
 * Maximum members per roster message: names have at most 64 characters, and a message must be
 * smaller than 8,000 bytes.
 */
const entriesPerMessage = 20;

/**
 * Another instance. `members` maps the id of a member to the time of the last report about the
 * member.
 */
interface Peer {
  lastSeen: number;
  readonly members: Map<number, number>;
}

export type Presence = ReturnType<typeof createPresence>;

/**
 * Creates the list of present members, with one entry per member across all sockets and instances.
 */
export function createPresence(parts: { fanout: Fanout; bus: Bus; timings: Timings }) {
  const { fanout, bus, timings } = parts;
  /** Members who are present, or who left less than the grace time ago. */
  const known = new Map<number, RosterMember>();
  const leaving = new Map<number, NodeJS.Timeout>();
  /** Connections to this instance, by member id. */
  const local = new Map<number, Set<Connection>>();
  const peers = new Map<string, Peer>();

  function isPresent(userId: number): boolean {
    return local.has(userId) || [...peers.values()].some(({ members }) => members.has(userId));
  }

  /**
   * Adds or updates a member, and tells the pages, which replace a member they already know.
   * Returns `true` if the member is new, or has a new name or picture.
   */
  function addMember({ userId, name, avatarId }: RosterMember, except?: Connection): boolean {
    const member = { userId, name, avatarId };
    const isNew = !isDeepStrictEqual(known.get(userId), member);
    known.set(userId, member);
    clearTimeout(leaving.get(userId));
    leaving.delete(userId);
    if (isNew)
      broadcast("pusher_internal:member_added", { user_id: String(userId), user_info: toUserInfo(member) }, except);
    return isNew;
  }

  function scheduleRemoval(userId: number): void {
    if (isPresent(userId) || leaving.has(userId) || !known.has(userId)) return;
    const timer = setTimeout(() => {
      leaving.delete(userId);
      known.delete(userId);
      broadcast("pusher_internal:member_removed", { user_id: String(userId) });
    }, timings.presenceGrace);
    leaving.set(userId, timer.unref());
  }

  function broadcast(event: string, data: object, except?: Connection): void {
    const frame = encodeFrame(event, data, presenceChannel);
    fanout.send({
      channel: presenceChannel,
      event: `${event} ${JSON.stringify(data)}`,
      frame,
      ...(except && { except }),
    });
  }

  function touchPeer(instance: string): Peer {
    const found = peers.get(instance) ?? { lastSeen: 0, members: new Map<number, number>() };
    found.lastSeen = performance.now();
    peers.set(instance, found);
    return found;
  }

  function removePeer(instance: string): void {
    const members = peers.get(instance)?.members.keys() ?? [];
    peers.delete(instance);
    for (const userId of members) scheduleRemoval(userId);
  }

  function sendRoster(): void {
    const members = [...local.keys()].flatMap((userId) => known.get(userId) ?? []);
    for (let start = 0; start === 0 || start < members.length; start += entriesPerMessage) {
      void bus.tell({ kind: "roster", members: members.slice(start, start + entriesPerMessage) });
    }
  }

  function removeSilentPeers(): void {
    const limit = performance.now() - timings.rosterLost;
    for (const [instance, { lastSeen, members }] of peers) {
      if (lastSeen < limit) removePeer(instance);
      for (const [userId, seen] of members) {
        if (seen >= limit) continue;
        members.delete(userId);
        scheduleRemoval(userId);
      }
    }
  }

  return {
    /**
     * Adds a connection that is about to join the presence channel. Notifies pages and instances if
     * it is the member's first connection.
     */
    addConnection(connection: Connection, member: RosterMember): void {
      const sockets = local.get(member.userId) ?? new Set();
      sockets.add(connection);
      local.set(member.userId, sockets);
      addMember(member, connection);
      if (sockets.size === 1) void bus.tell({ kind: "roster", members: [known.get(member.userId)!] });
    },
    /**
     * Updates a present member. Notifies pages and instances if the member has a new name or
     * picture.
     */
    updateMember(member: RosterMember): void {
      if (addMember(member)) void bus.tell({ kind: "roster", members: [known.get(member.userId)!] });
    },
    /**
     * Removes a connection. Pages are notified if the member still has no connection after the
     * grace time.
     */
    removeConnection(connection: Connection): void {
      const userId = connection.access?.userId;
      const sockets = userId === undefined ? undefined : local.get(userId);
      if (userId === undefined || !sockets?.delete(connection) || sockets.size > 0) return;
      local.delete(userId);
      void bus.tell({ kind: "left", userId });
      scheduleRemoval(userId);
    },
    /** Returns all present members in the format of the message `subscription_succeeded`. */
    snapshot(): object {
      const members = [...known.values()].map((member) => [String(member.userId), toUserInfo(member)] as const);
      const ids = members.map(([id]) => id);
      return { presence: { ids, hash: Object.fromEntries(members), count: ids.length } };
    },
    handleMessage(message: BusMessage, from: string): void {
      if (message.kind === "bye") return removePeer(from);
      const sender = touchPeer(from);
      if (message.kind === "hello") sendRoster();
      if (message.kind === "left") {
        sender.members.delete(message.userId);
        scheduleRemoval(message.userId);
      }
      if (message.kind === "roster") {
        for (const member of message.members) {
          sender.members.set(member.userId, performance.now());
          addMember(member);
        }
      }
    },
    /**
     * Sends the members of this instance to the other instances, and removes instances that stopped
     * reporting theirs.
     */
    announceRoster(): void {
      removeSilentPeers();
      sendRoster();
    },
    requestRosters(): void {
      void bus.tell({ kind: "hello" });
    },
    close(): Promise<void> {
      for (const timer of leaving.values()) clearTimeout(timer);
      return bus.tell({ kind: "bye" });
    },
  };
}
