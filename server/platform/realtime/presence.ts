import { isDeepStrictEqual } from "node:util";

import { presenceChannel, presentCounted } from "#contract/event.ts";
import type { Bus, BusMessage, RosterMember } from "./bus.ts";
import { toUserInfo } from "./channels.ts";
import { type Connection, sendFrame } from "./connection.ts";
import type { Timings } from "./options.ts";
import { encodeFrame } from "./protocol.ts";

/** Pages know the names of this many present members. */
const maxNames = 100;
/** For more changes, the whole list is shorter. */
const maxChanges = 20;

/** Every second call of `announceRoster` sends all members again. */
const beatsPerRoster = 2;

/** `members` are the present members who are connected to this other instance. */
interface Peer {
  lastSeen: number;
  readonly members: Set<number>;
}

export type Presence = ReturnType<typeof createPresence>;

/**
 * Lists each member once across all sockets and instances. Changes are collected, and sent to pages and instances
 * together. Pages know the number of present members and the names of those 100 who came first.
 */
export function createPresence({ bus, timings }: { bus: Bus; timings: Timings }) {
  /** Includes members who left less than the grace time ago. */
  const known = new Map<number, RosterMember>();
  const leaving = new Map<number, NodeJS.Timeout>();
  /** By member id. */
  const local = new Map<number, Set<Connection>>();
  const peers = new Map<string, Peer>();
  /** The audience knows the list; the next flush sends the whole list to those who are joining. */
  const audience = new Set<Connection>();
  const joining = new Set<Connection>();
  /** Names and number of members that the audience knows. */
  let named: ReadonlyMap<number, RosterMember> = new Map();
  let count = 0;
  /** Members of this instance about whom the other instances must be told. */
  const unsent = new Set<number>();
  let isRosterDue = false;
  let beats = 0;
  let lastFlush = -Infinity;
  let flushTimer: NodeJS.Timeout | undefined;

  function isPresent(userId: number): boolean {
    return local.has(userId) || [...peers.values()].some(({ members }) => members.has(userId));
  }

  /** At once, or `presenceEvery` ms after the last flush. */
  function planFlush(): void {
    const wait = Math.max(0, lastFlush + timings.presenceEvery - performance.now());
    flushTimer ??= setTimeout(flush, wait).unref();
  }

  function flush(): void {
    flushTimer = undefined;
    lastFlush = performance.now();
    tellPages();
    if (isRosterDue) sendRoster();
    else if (unsent.size > 0) sendChanges();
    isRosterDue = false;
    unsent.clear();
  }

  function tellPages(): void {
    const window = new Map([...known].slice(0, maxNames));
    const removed = [...named.keys()].filter((userId) => !window.has(userId));
    const changed = [...window.values()].filter((member) => named.get(member.userId) !== member);
    if (removed.length + changed.length > maxChanges) {
      for (const connection of audience) joining.add(connection);
    } else {
      for (const userId of removed) send("pusher_internal:member_removed", { user_id: String(userId) }, audience);
      for (const member of changed) {
        const data = { user_id: String(member.userId), user_info: toUserInfo(member) };
        send("pusher_internal:member_added", data, audience);
      }
    }
    if (known.size !== count && Math.max(known.size, count) > maxNames)
      send(presentCounted.name, { count: known.size }, audience);
    named = window;
    count = known.size;
    sendList(joining);
    for (const connection of joining) audience.add(connection);
    joining.clear();
  }

  function sendList(to: ReadonlySet<Connection>): void {
    const members = [...named.values()].map((member) => [String(member.userId), toUserInfo(member)] as const);
    const presence = { ids: members.map(([id]) => id), hash: Object.fromEntries(members), count };
    send("pusher_internal:subscription_succeeded", { presence }, to);
  }

  function send(event: string, data: object, to: ReadonlySet<Connection>): void {
    if (to.size === 0) return;
    const frame = Buffer.from(encodeFrame(event, data, presenceChannel));
    for (const connection of to) sendFrame(connection, frame);
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

  /** `true` if the member is new, or has a new name or picture. */
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
    /** The subscription is confirmed with the next changes that are sent to pages. */
    addConnection(connection: Connection, member: RosterMember): void {
      const sockets = local.get(member.userId) ?? new Set();
      sockets.add(connection);
      local.set(member.userId, sockets);
      joining.add(connection);
      addMember(member);
      if (sockets.size === 1) unsent.add(member.userId);
      planFlush();
    },
    updateMember(member: RosterMember): void {
      if (addMember(member)) tellInstances(member.userId);
    },
    /** Pages are notified if the member still has no connection after the grace time. */
    removeConnection(connection: Connection): void {
      audience.delete(connection);
      joining.delete(connection);
      const userId = connection.access?.userId;
      const sockets = userId === undefined ? undefined : local.get(userId);
      if (userId === undefined || !sockets?.delete(connection) || sockets.size > 0) return;
      local.delete(userId);
      tellInstances(userId);
      scheduleRemoval(userId);
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
     * Tells the other instances that this one is alive; every second call also sends its members. Removes instances
     * that have been silent for `rosterLost` ms.
     */
    announceRoster(): void {
      const limit = performance.now() - timings.rosterLost;
      for (const [instance, { lastSeen }] of peers) if (lastSeen < limit) removePeer(instance);
      beats += 1;
      if (beats % beatsPerRoster === 0) sendRoster();
      else void bus.tell({ kind: "roster", members: [] });
    },
    /** Also sends the members of this instance. */
    requestRosters(): void {
      void bus.tell({ kind: "hello" });
      isRosterDue = true;
      planFlush();
    },
    close(): Promise<void> {
      clearTimeout(flushTimer);
      for (const timer of leaving.values()) clearTimeout(timer);
      return bus.tell({ kind: "bye" });
    },
  };
}
