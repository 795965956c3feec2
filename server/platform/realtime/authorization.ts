import { setImmediate } from "node:timers/promises";

import type { Connection } from "./connection.ts";
import type { Hub } from "./hub.ts";
import type { Access, RealtimeOptions } from "./options.ts";

/** Sessions asked for in one query. */
const sessionsPerQuery = 500;

/** Who sits behind a socket, and whether that is still so. */
export interface Authorization {
  /** The session's member now; null where the session ended. Rejects while the database is down. */
  loadAccess(sessionId: string): Promise<Access | null>;
  /** Gives an anonymous socket to a session. */
  bind(connection: Connection, sessionId: string): Promise<"bound" | "ended" | "too-many">;
  /** Asks again for these sockets: those whose session ended go, the others lose what they may no longer see. */
  recheck(connections: Iterable<Connection>): Promise<void>;
}

export function createAuthorization(parts: {
  hub: Hub;
  options: Pick<RealtimeOptions, "findAccess" | "maxPerUser">;
  eject(connection: Connection): void;
  /** Access was read afresh; the caller ends subscriptions that it no longer covers. */
  enforce(connection: Connection, access: Access): void;
}): Authorization {
  const { hub, options } = parts;
  /** Counts the changes announced, so that an answer read before one is not used after it. */
  let changes = 0;

  async function lookUp(sessionId: string): Promise<Access | null> {
    for (;;) {
      const before = changes;
      const found = await options.findAccess([sessionId]);
      if (changes === before) return found.get(sessionId) ?? null;
    }
  }

  async function recheckSome(connections: readonly Connection[]): Promise<void> {
    const asked = new Set(connections.flatMap((connection) => connection.access?.sessionId ?? []));
    const found = await options.findAccess([...asked]);
    for (const connection of connections) {
      const known = connection.access;
      // A session that got a new hash meanwhile was not asked for under it.
      if (!known || !asked.has(known.sessionId) || !hub.has(connection)) continue;
      const access = found.get(known.sessionId);
      if (access?.userId !== known.userId) {
        parts.eject(connection);
        continue;
      }
      connection.access = access;
      parts.enforce(connection, access);
    }
  }

  return {
    loadAccess: lookUp,
    bind: async (connection, sessionId) => {
      const access = await lookUp(sessionId);
      if (!access) return "ended";
      if (hub.ofUser(access.userId).size >= options.maxPerUser) return "too-many";
      if (hub.has(connection)) hub.bind(connection, access);
      return "bound";
    },
    recheck: async (connections) => {
      changes += 1;
      const bound = [...connections].filter((connection) => connection.access);
      for (let start = 0; start < bound.length; start += sessionsPerQuery) {
        if (start > 0) await setImmediate();
        await recheckSome(bound.slice(start, start + sessionsPerQuery));
      }
    },
  };
}
