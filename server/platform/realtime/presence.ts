import { isDeepStrictEqual } from "node:util";

import { presenceChannel } from "#contract/event.ts";

import type { Bus, BusMessage, RosterMember } from "./bus.ts";
import type { Connection } from "./connection.ts";
import type { Fanout } from "./fanout.ts";
import type { Timings } from "./options.ts";
import { encodeFrame } from "./protocol.ts";

/** Roster entries per message: names are at most 64 characters, and a message must stay below 8,000 bytes. */
const entriesPerMessage = 20;

interface Peer {
  lastSeen: number;
  readonly members: Map<number, number>;
}

/** Who is here: one entry per member, however many sockets, on all instances together. */
export interface Presence {
  /** Counts a socket in that is about to join; the others are told if it is the member's first. */
  addConnection(connection: Connection, member: RosterMember): void;
  /** Tells the others if somebody who is here goes by another name or picture now. */
  updateMember(member: RosterMember): void;
  /** Counts a socket out; the others are told when no other came within the grace time. */
  removeConnection(connection: Connection): void;
  /** Everybody who is here, in the shape `subscription_succeeded` carries. */
  snapshot(): object;
  handleMessage(message: BusMessage, from: string): void;
  /** Tells the other instances who is here, and forgets those that fell silent. */
  announceRoster(): void;
  /** Asks the other instances for their members. */
  requestRosters(): void;
  isInstanceAlive(instance: string): boolean;
  close(): Promise<void>;
}

export function createPresence(parts: { fanout: Fanout; bus: Bus; timings: Timings }): Presence {
  const { fanout, bus, timings } = parts;
  const known = new Map<number, RosterMember>();
  const leaving = new Map<number, NodeJS.Timeout>();
  const here = new Map<number, Set<Connection>>();
  const peers = new Map<string, Peer>();

  function isHere(userId: number): boolean {
    return here.has(userId) || [...peers.values()].some(({ members }) => members.has(userId));
  }

  /** Pages take whoever was there already as the same member under a new name. */
  function appear({ userId, name, avatarId }: RosterMember, except?: Connection): boolean {
    const member = { userId, name, avatarId };
    const isNew = !isDeepStrictEqual(known.get(userId), member);
    known.set(userId, member);
    clearTimeout(leaving.get(userId));
    leaving.delete(userId);
    if (isNew) tell("pusher_internal:member_added", { user_id: String(userId), user_info: toUserInfo(member) }, except);
    return isNew;
  }

  function disappear(userId: number): void {
    if (isHere(userId) || leaving.has(userId) || !known.has(userId)) return;
    const timer = setTimeout(() => {
      leaving.delete(userId);
      known.delete(userId);
      tell("pusher_internal:member_removed", { user_id: String(userId) });
    }, timings.presenceGrace);
    leaving.set(userId, timer.unref());
  }

  function tell(event: string, data: object, except?: Connection): void {
    const frame = encodeFrame(event, data, presenceChannel);
    fanout.send({
      channel: presenceChannel,
      event: `${event} ${JSON.stringify(data)}`,
      frame,
      ...(except && { except }),
    });
  }

  function peer(instance: string): Peer {
    const found = peers.get(instance) ?? { lastSeen: 0, members: new Map<number, number>() };
    found.lastSeen = performance.now();
    peers.set(instance, found);
    return found;
  }

  function forget(instance: string): void {
    const members = peers.get(instance)?.members.keys() ?? [];
    peers.delete(instance);
    for (const userId of members) disappear(userId);
  }

  function sendRoster(): void {
    const members = [...here.keys()].flatMap((userId) => known.get(userId) ?? []);
    for (let start = 0; start === 0 || start < members.length; start += entriesPerMessage) {
      void bus.send({ kind: "roster", members: members.slice(start, start + entriesPerMessage) });
    }
  }

  function forgetTheSilent(): void {
    const limit = performance.now() - timings.rosterLost;
    for (const [instance, { lastSeen, members }] of peers) {
      if (lastSeen < limit) forget(instance);
      for (const [userId, seen] of members) {
        if (seen >= limit) continue;
        members.delete(userId);
        disappear(userId);
      }
    }
  }

  return {
    addConnection: (connection, member) => {
      const sockets = here.get(member.userId) ?? new Set();
      sockets.add(connection);
      here.set(member.userId, sockets);
      appear(member, connection);
      if (sockets.size === 1) void bus.send({ kind: "roster", members: [known.get(member.userId)!] });
    },
    updateMember: (member) => {
      if (appear(member)) void bus.send({ kind: "roster", members: [known.get(member.userId)!] });
    },
    removeConnection: (connection) => {
      const userId = connection.access?.userId;
      const sockets = userId === undefined ? undefined : here.get(userId);
      if (userId === undefined || !sockets?.delete(connection) || sockets.size > 0) return;
      here.delete(userId);
      void bus.send({ kind: "left", userId });
      disappear(userId);
    },
    snapshot: () => {
      const members = [...known.values()].map((member) => [String(member.userId), toUserInfo(member)] as const);
      const ids = members.map(([id]) => id);
      return { presence: { ids, hash: Object.fromEntries(members), count: ids.length } };
    },
    handleMessage: (message, from) => {
      if (message.kind === "bye") return forget(from);
      const sender = peer(from);
      if (message.kind === "hello") sendRoster();
      if (message.kind === "left") {
        sender.members.delete(message.userId);
        disappear(message.userId);
      }
      if (message.kind === "roster") {
        for (const member of message.members) {
          sender.members.set(member.userId, performance.now());
          appear(member);
        }
      }
    },
    announceRoster: () => {
      forgetTheSilent();
      sendRoster();
    },
    requestRosters: () => {
      void bus.send({ kind: "hello" });
    },
    isInstanceAlive: (instance) => peers.has(instance),
    close: () => {
      for (const timer of leaving.values()) clearTimeout(timer);
      return bus.send({ kind: "bye" });
    },
  };
}

function toUserInfo(member: RosterMember): object {
  return { name: member.name, avatarId: member.avatarId };
}
