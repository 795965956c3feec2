import { presenceChannel, presentCounted } from "#contract/event.ts";
import type { RosterMember } from "./bus.ts";
import { toUserInfo } from "./channels.ts";
import type { Connection } from "./connection.ts";
import type { Fanout } from "./fanout.ts";
import type { RealtimeOptions } from "./options.ts";
import { encodeFrame } from "./protocol.ts";

/** Maximum number of present members whose names a page knows. */
const maxNames = 100;

/**
 * Maximum number of members whom a page's list of names prefers because a recent event was about
 * them.
 */
const maxNamed = 20;

/**
 * Maximum changes of a page's list of names that are sent one by one; for more changes, sending the
 * whole list is shorter.
 */
const maxChanges = 20;

/** The members whose names a page knows, by id. */
type Window = ReadonlyMap<number, RosterMember>;

/** Name of the group of all members who are in no other group. */
const noGroup = "";

/**
 * Creates the part of the presence list that pages know: the number of present members, and a
 * window of at most 100 names. Pages of members in the same group, e.g. at the same party, share
 * one window, so that each frame is encoded once per group.
 */
export function createPresenceWindows(parts: {
  fanout: Fanout;
  /** All present members by id. The caller keeps this map up to date. */
  present: ReadonlyMap<number, RosterMember>;
  readGroups: RealtimeOptions["presenceGroups"];
}) {
  const { fanout, present } = parts;
  /**
   * Connections in the presence channel, with the group of members (e.g. a party) whose list they
   * got; `null` before the first list.
   */
  const audience = new Map<Connection, string | null>();
  const windows = new Map<string, Window>();
  let groups: ReadonlyMap<number, string> = new Map();
  /** Ids of the members whom the newest events were about, the newest last. */
  const named = new Set<number>();
  /** Copy of `named` from the last call of `rearrange`; windows prefer these members. */
  let preferred: ReadonlySet<number> = new Set();
  let knownCount = 0;
  let flushes = 0;

  const isLarge = (): boolean => present.size > maxNames;

  function groupOf({ access }: Connection): string {
    return (isLarge() && access && groups.get(access.userId)) || noGroup;
  }

  function updateWindow(group: string): { before: Window; window: Window } {
    const before = windows.get(group) ?? new Map<number, RosterMember>();
    const ids = isLarge() ? chooseIds(present.keys(), (userId) => rank(userId, group, before)) : [...present.keys()];
    const window = new Map(ids.map((userId) => [userId, present.get(userId)!]));
    windows.set(group, window);
    return { before, window };
  }

  /** Returns the rank of a member in a window; members with lower ranks are shown first. */
  function rank(userId: number, group: string, before: Window): number {
    const isInGroup = group !== noGroup && groups.get(userId) === group;
    return (isInGroup ? 0 : 4) + (preferred.has(userId) ? 0 : 2) + (before.has(userId) ? 0 : 1);
  }

  function send(event: string, data: object, to: readonly Connection[]): void {
    if (to.length === 0) return;
    // The number makes the event's name unique: otherwise, an event could replace an earlier one
    // with the same name that waits to be sent.
    const frame = encodeFrame(event, data, presenceChannel);
    fanout.send({ channel: presenceChannel, event: `${event} ${flushes}`, frame, to });
  }

  function sendWindow(window: Window, to: readonly Connection[]): void {
    const members = [...window.values()].map((member) => [String(member.userId), toUserInfo(member)] as const);
    const presence = { ids: members.map(([id]) => id), hash: Object.fromEntries(members), count: present.size };
    send("pusher_internal:subscription_succeeded", { presence }, to);
  }

  function updateGroup(group: string, known: readonly Connection[], joining: readonly Connection[]): void {
    const { before, window } = updateWindow(group);
    const removed = [...before.keys()].filter((userId) => !window.has(userId));
    const changed = [...window.values()].filter((member) => before.get(member.userId) !== member);
    if (removed.length + changed.length > maxChanges) return sendWindow(window, [...known, ...joining]);
    for (const userId of removed) send("pusher_internal:member_removed", { user_id: String(userId) }, known);
    for (const member of changed) {
      const data = { user_id: String(member.userId), user_info: toUserInfo(member) };
      send("pusher_internal:member_added", data, known);
    }
    sendWindow(window, joining);
  }

  return {
    /** Adds a connection, whose subscription the next `flush` confirms with its window. */
    add(connection: Connection): void {
      audience.set(connection, null);
    },
    remove(connection: Connection): void {
      audience.delete(connection);
    },
    /**
     * Remembers that an event was about this member, so that the lists of present members prefer this
     * member.
     */
    nameMember(userId: number): void {
      named.delete(userId);
      named.add(userId);
      const [oldest] = named;
      if (named.size > maxNamed && oldest !== undefined) named.delete(oldest);
    },
    /**
     * If not all present members fit into a window, reads the members' groups and takes over the
     * members of the newest events as preferred. Returns `true` if windows may change with the next
     * flush.
     */
    async rearrange(): Promise<boolean> {
      if (!isLarge()) return false;
      groups = await parts.readGroups();
      preferred = new Set(named);
      return true;
    },
    /** Sends all changes since the last flush to the pages. */
    flush(): void {
      flushes += 1;
      const byGroup = Map.groupBy(audience.keys(), groupOf);
      const informed = [...audience].flatMap(([connection, group]) => (group === null ? [] : [connection]));
      for (const group of windows.keys()) if (!byGroup.has(group)) windows.delete(group);
      for (const [group, connections] of byGroup) {
        const isKnown = (connection: Connection): boolean => audience.get(connection) === group;
        const joining = connections.filter((connection) => !isKnown(connection));
        updateGroup(group, connections.filter(isKnown), joining);
        for (const connection of joining) audience.set(connection, group);
      }
      if (present.size !== knownCount && Math.max(present.size, knownCount) > maxNames)
        send(presentCounted.name, { count: present.size }, informed);
      knownCount = present.size;
    },
  };
}

/**
 * Returns at most 100 of the ids, those with the lowest ranks first. Ids of the same rank keep
 * their order.
 */
function chooseIds(userIds: Iterable<number>, rank: (userId: number) => number): number[] {
  const byRank = Map.groupBy(userIds, rank);
  return [...byRank.keys()]
    .toSorted((one, other) => one - other)
    .flatMap((key) => byRank.get(key)!)
    .slice(0, maxNames);
}
