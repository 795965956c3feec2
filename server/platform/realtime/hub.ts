import type { Connection } from "./connection.ts";
import type { Access } from "./options.ts";

const none: ReadonlySet<Connection> = new Set();

export type Hub = ReturnType<typeof createHub>;

/** Indexes open connections by socket id, member, session and channel. `onLeave` is also called for removed ones. */
export function createHub(onLeave: (connection: Connection, channel: string) => void) {
  const sockets = new Map<string, Connection>();
  const users = new Map<number, Set<Connection>>();
  const sessions = new Map<string, Set<Connection>>();
  const channels = new Map<string, Set<Connection>>();

  function unbind(connection: Connection): void {
    if (!connection.access) return;
    connection.place.become("anonymous");
    removeFrom(users, connection.access.userId, connection);
    removeFrom(sessions, connection.access.sessionId, connection);
  }

  function bind(connection: Connection, access: Access): void {
    unbind(connection);
    connection.access = access;
    connection.place.become("member");
    addTo(users, access.userId, connection);
    addTo(sessions, access.sessionId, connection);
  }

  function leave(connection: Connection, channel: string): void {
    connection.channels.delete(channel);
    removeFrom(channels, channel, connection);
    onLeave(connection, channel);
  }

  /** Idempotent. */
  function remove(connection: Connection): void {
    if (!sockets.delete(connection.socketId)) return;
    unbind(connection);
    for (const channel of connection.channels) leave(connection, channel);
  }

  return {
    add(connection: Connection): void {
      sockets.set(connection.socketId, connection);
    },
    remove,
    disconnect(connection: Connection, code: number, reason: string): void {
      remove(connection);
      connection.webSocket.close(code, reason);
    },
    has: (connection: Connection) => sockets.get(connection.socketId) === connection,
    find: (socketId: string) => sockets.get(socketId),
    all: () => sockets.values(),
    bind,
    /** `to` is the new hash of the session id. */
    rotateSession(from: string, to: string): void {
      for (const connection of [...(sessions.get(from) ?? [])]) {
        if (connection.access) bind(connection, { ...connection.access, sessionId: to });
      }
    },
    ofUser: (userId: number): ReadonlySet<Connection> => users.get(userId) ?? none,
    ofSession: (sessionId: string): ReadonlySet<Connection> => sessions.get(sessionId) ?? none,
    join(connection: Connection, channel: string): void {
      connection.channels.add(channel);
      addTo(channels, channel, connection);
    },
    leave,
    inChannel: (channel: string): ReadonlySet<Connection> => channels.get(channel) ?? none,
    /** For tests. */
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
