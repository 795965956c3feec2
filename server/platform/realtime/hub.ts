import type { Connection } from "./connection.ts";
import type { Access } from "./options.ts";

const none: ReadonlySet<Connection> = new Set();

/** The open connections, indexed by socket id, member, session and channel. Empty entries are removed. */
export interface Hub {
  add(connection: Connection): void;
  /** Leaves all channels and forgets the connection; does nothing the second time. */
  remove(connection: Connection): void;
  /** Removes the connection and closes its socket. */
  disconnect(connection: Connection, code: number, reason: string): void;
  has(connection: Connection): boolean;
  find(socketId: string): Connection | undefined;
  all(): Iterable<Connection>;
  /** From now on this connection belongs to this session and its member. */
  bind(connection: Connection, access: Access): void;
  /** The session continues under another hash. */
  rotateSession(from: string, to: string): void;
  ofUser(userId: number): ReadonlySet<Connection>;
  ofSession(sessionId: string): ReadonlySet<Connection>;
  join(connection: Connection, channel: string): void;
  leave(connection: Connection, channel: string): void;
  inChannel(channel: string): ReadonlySet<Connection>;
  /** Sizes of the four indexes, for tests. */
  sizes(): { sockets: number; users: number; sessions: number; channels: number };
}

/** `onLeave` is called whenever a connection leaves a channel, also because it is removed. */
export function createHub(onLeave: (connection: Connection, channel: string) => void): Hub {
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

  function leave(connection: Connection, channel: string): void {
    connection.channels.delete(channel);
    removeFrom(channels, channel, connection);
    onLeave(connection, channel);
  }

  function remove(connection: Connection): void {
    if (!sockets.delete(connection.socketId)) return;
    unbind(connection);
    for (const channel of connection.channels) leave(connection, channel);
    connection.grants.clear();
  }

  return {
    add: (connection) => {
      sockets.set(connection.socketId, connection);
    },
    remove,
    disconnect: (connection, code, reason) => {
      remove(connection);
      connection.webSocket.close(code, reason);
    },
    has: (connection) => sockets.get(connection.socketId) === connection,
    find: (socketId) => sockets.get(socketId),
    all: () => sockets.values(),
    bind,
    rotateSession: (from, to) => {
      for (const connection of [...(sessions.get(from) ?? [])]) {
        if (connection.access) bind(connection, { ...connection.access, sessionId: to });
      }
    },
    ofUser: (userId) => users.get(userId) ?? none,
    ofSession: (sessionId) => sessions.get(sessionId) ?? none,
    join: (connection, channel) => {
      connection.channels.add(channel);
      addTo(channels, channel, connection);
    },
    leave,
    inChannel: (channel) => channels.get(channel) ?? none,
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
