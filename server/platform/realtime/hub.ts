import type { Connection } from "./connection.ts";
import type { Access } from "./options.ts";

const nobody: ReadonlySet<Connection> = new Set();

/** Who is connected, found by socket, member, session and channel. Nothing empty stays behind. */
export interface Hub {
  add(connection: Connection): void;
  remove(connection: Connection): void;
  has(connection: Connection): boolean;
  find(socketId: string): Connection | undefined;
  all(): Iterable<Connection>;
  /** From now on this socket belongs to this session and its member. */
  bind(connection: Connection, access: Access): void;
  /** The session goes on under another hash. */
  rotate(from: string, to: string): void;
  ofUser(userId: number): ReadonlySet<Connection>;
  ofSession(sessionId: string): ReadonlySet<Connection>;
  join(connection: Connection, channel: string): void;
  leave(connection: Connection, channel: string): void;
  inChannel(channel: string): ReadonlySet<Connection>;
  /** Sizes of the four indexes, for tests and the log. */
  sizes(): { sockets: number; users: number; sessions: number; channels: number };
}

export function createHub(): Hub {
  const sockets = new Map<string, Connection>();
  const users = new Map<number, Set<Connection>>();
  const sessions = new Map<string, Set<Connection>>();
  const channels = new Map<string, Set<Connection>>();

  function unbind(connection: Connection): void {
    if (!connection.access) return;
    removeFrom(users, connection.access.userId, connection);
    removeFrom(sessions, connection.access.sessionId, connection);
  }

  function bind(connection: Connection, access: Access): void {
    unbind(connection);
    connection.access = access;
    addTo(users, access.userId, connection);
    addTo(sessions, access.sessionId, connection);
  }

  return {
    add: (connection) => {
      sockets.set(connection.socketId, connection);
    },
    remove: (connection) => {
      if (!sockets.delete(connection.socketId)) return;
      unbind(connection);
      for (const channel of connection.channels) removeFrom(channels, channel, connection);
      connection.channels.clear();
      connection.grants.clear();
    },
    has: (connection) => sockets.get(connection.socketId) === connection,
    find: (socketId) => sockets.get(socketId),
    all: () => sockets.values(),
    bind,
    rotate: (from, to) => {
      for (const connection of [...(sessions.get(from) ?? [])]) {
        if (connection.access) bind(connection, { ...connection.access, sessionId: to });
      }
    },
    ofUser: (userId) => users.get(userId) ?? nobody,
    ofSession: (sessionId) => sessions.get(sessionId) ?? nobody,
    join: (connection, channel) => {
      connection.channels.add(channel);
      addTo(channels, channel, connection);
    },
    leave: (connection, channel) => {
      connection.channels.delete(channel);
      removeFrom(channels, channel, connection);
    },
    inChannel: (channel) => channels.get(channel) ?? nobody,
    sizes: () => ({ sockets: sockets.size, users: users.size, sessions: sessions.size, channels: channels.size }),
  };
}

function addTo<Key>(index: Map<Key, Set<Connection>>, key: Key, connection: Connection): void {
  const found = index.get(key);
  if (found) found.add(connection);
  else index.set(key, new Set([connection]));
}

function removeFrom<Key>(index: Map<Key, Set<Connection>>, key: Key, connection: Connection): void {
  const found = index.get(key);
  if (!found) return;
  found.delete(connection);
  if (found.size === 0) index.delete(key);
}
