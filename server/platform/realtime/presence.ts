import { isDeepStrictEqual } from "node:util";

import type { Bus, BusMessage, RosterMember } from "./bus.ts";
import type { Connection } from "./connection.ts";
import type { Fanout } from "./fanout.ts";
import type { RealtimeOptions, Timings } from "./options.ts";
import { createPresenceWindows } from "./presence-windows.ts";

/**
 * Number of calls of `announceRoster` after which an instance sends the other instances all its
 * members again.
 */
const beatsPerRoster = 2;

/** Another instance, with the ids of the present members who are connected to it. */
interface Peer {
  lastSeen: number;
  readonly members: Set<number>;
}

export type Presence = ReturnType<typeof createPresence>;

/**
 * Creates the list of present members, with one entry per member across all sockets and instances.
 * Changes are collected, and sent to pages and instances together.
 */
export function createPresence(parts: {
  fanout: Fanout;
  bus: Bus;
  timings: Timings;
  readGroups: RealtimeOptions["presenceGroups"];
}) {
  const { fanout, bus, timings, readGroups } = parts;
  /** Members who are present, or who left less than the grace time ago. */
  const known = new Map<number, RosterMember>();
  const leaving = new Map<number, NodeJS.Timeout>();
  /** Connections to this instance, by member id. */
  const local = new Map<number, Set<Connection>>();
  const peers = new Map<string, Peer>();
  const windows = createPresenceWindows({ fanout, present: known, readGroups });
  /** Ids of this instance's members about whom the other instances must be told. */
  const unsent = new Set<number>();
  let isRosterDue = false;
  let beats = 0;
  let lastFlush = -Infinity;
  let flushTimer: NodeJS.Timeout | undefined;

  function isPresent(userId: number): boolean {
    return local.has(userId) || [...peers.values()].some(({ members }) => members.has(userId));
  }

  /**
   * Plans to send all changes: at once, or `presenceEvery` milliseconds after the last changes were
   * sent.
   */
  function planFlush(): void {
    const wait = Math.max(0, lastFlush + timings.presenceEvery - performance.now());
    flushTimer ??= setTimeout(flush, wait).unref();
  }

  function flush(): void {
    flushTimer = undefined;
    lastFlush = performance.now();
    windows.flush();
    if (isRosterDue) sendRoster();
    else if (unsent.size > 0) sendChanges();
    isRosterDue = false;
    unsent.clear();
  }

  function sendRoster(): void {
    void bus.tell({ kind: "roster", members: membersWith(local.keys()), isComplete: true });
  }

  function sendChanges(): void {
    const left = [...unsent].filter((userId) => !local.has(userId));
    const members = membersWith([...unsent].filter((userId) => local.has(userId)));
    void bus.tell({ kind: "roster", members, ...(left.length > 0 && { left }) });
  }

  function membersWith(userIds: Iterable<number>): RosterMember[] {
    return [...userIds].flatMap((userId) => known.get(userId) ?? []);
  }

  /** Adds or updates a member. Returns `true` if the member is new, or has a new name or picture. */
  function addMember({ userId, name, avatarId }: RosterMember): boolean {
    const member = { userId, name, avatarId };
    clearTimeout(leaving.get(userId));
    leaving.delete(userId);
    if (isDeepStrictEqual(known.get(userId), member)) return false;
    known.set(userId, member);
    planFlush();
    return true;
  }

  function scheduleRemoval(userId: number): void {
    if (isPresent(userId) || leaving.has(userId) || !known.has(userId)) return;
    const timer = setTimeout(() => {
      leaving.delete(userId);
      known.delete(userId);
      planFlush();
    }, timings.presenceGrace);
    leaving.set(userId, timer.unref());
  }

  function touchPeer(instance: string): Peer {
    const found = peers.get(instance) ?? { lastSeen: 0, members: new Set<number>() };
    found.lastSeen = performance.now();
    peers.set(instance, found);
    return found;
  }

  function removePeer(instance: string): void {
    const members = peers.get(instance)?.members ?? [];
    peers.delete(instance);
    for (const userId of members) scheduleRemoval(userId);
  }

  function removeFromPeer({ members }: Peer, userIds: Iterable<number>): void {
    for (const userId of userIds) if (members.delete(userId)) scheduleRemoval(userId);
  }

  function applyRoster(sender: Peer, { members, left = [], isComplete }: BusMessage & { kind: "roster" }): void {
    const listed = new Set(members.map(({ userId }) => userId));
    for (const userId of listed) sender.members.add(userId);
    for (const member of members) addMember(member);
    removeFromPeer(sender, left);
    if (isComplete)
      removeFromPeer(
        sender,
        [...sender.members].filter((userId) => !listed.has(userId)),
      );
  }

  function tellInstances(userId: number): void {
    unsent.add(userId);
    planFlush();
  }

  return {
    /**
     * Adds a connection that has joined the presence channel. Its subscription is confirmed with
     * the next changes that are sent to pages.
     */
    addConnection(connection: Connection, member: RosterMember): void {
      const sockets = local.get(member.userId) ?? new Set();
      sockets.add(connection);
      local.set(member.userId, sockets);
      windows.add(connection);
      addMember(member);
      if (sockets.size === 1) unsent.add(member.userId);
      planFlush();
    },
    /** Updates a present member, who may have a new name or picture. */
    updateMember(member: RosterMember): void {
      if (addMember(member)) tellInstances(member.userId);
    },
    /**
     * Removes a connection. Pages are notified if the member still has no connection after the
     * grace time.
     */
    removeConnection(connection: Connection): void {
      windows.remove(connection);
      const userId = connection.access?.userId;
      const sockets = userId === undefined ? undefined : local.get(userId);
      if (userId === undefined || !sockets?.delete(connection) || sockets.size > 0) return;
      local.delete(userId);
      tellInstances(userId);
      scheduleRemoval(userId);
    },
    /**
     * Remembers the member whom this event is about, so that pages that cannot show all present
     * members prefer this member.
     */
    handleEvent(data: object): void {
      if ("userId" in data && typeof data.userId === "number") windows.nameMember(data.userId);
    },
    handleMessage(message: BusMessage, from: string): void {
      if (from === bus.instance) return;
      if (message.kind === "bye") return removePeer(from);
      const sender = touchPeer(from);
      if (message.kind === "hello") {
        isRosterDue = true;
        planFlush();
      }
      if (message.kind === "roster") applyRoster(sender, message);
    },
    /**
     * Tells the other instances that this instance is alive; every second call also tells them
     * which members are connected to it. Removes instances that have not announced themselves for
     * `rosterLost` milliseconds.
     */
    announceRoster(): void {
      const limit = performance.now() - timings.rosterLost;
      for (const [instance, { lastSeen }] of peers) if (lastSeen < limit) removePeer(instance);
      beats += 1;
      if (beats % beatsPerRoster === 0) sendRoster();
      else void bus.tell({ kind: "roster", members: [] });
    },
    /** Sends all members of this instance to the other instances, and requests theirs. */
    requestRosters(): void {
      void bus.tell({ kind: "hello" });
      isRosterDue = true;
      planFlush();
    },
    /**
     * Chooses again which members a page names if it cannot show all present members: it prefers
     * members of the same party, then members whom the newest events were about.
     */
    async rearrange(): Promise<void> {
      if (await windows.rearrange()) planFlush();
    },
    close(): Promise<void> {
      clearTimeout(flushTimer);
      for (const timer of leaving.values()) clearTimeout(timer);
      return bus.tell({ kind: "bye" });
    },
  };
}
