import { setImmediate } from "node:timers/promises";

import { presenceChannel, userChannelPrefix } from "#contract/event.ts";
import { memberChanged } from "#contract/members.ts";
import { coalesce } from "#server/platform/jobs/coalesce.ts";
import { divideByInstances } from "#server/platform/limits/limits.ts";
import { canJoin, type Channels } from "./channels.ts";
import { type Connection, sendFrame } from "./connection.ts";
import type { Hub } from "./hub.ts";
import type { Access, RealtimeOptions } from "./options.ts";
import type { Presence } from "./presence.ts";
import { closeCodes, encodeFrame, encodeSubscriptionError } from "./protocol.ts";

const sessionsPerQuery = 500;

export type Authorization = ReturnType<typeof createAuthorization>;

/** Assigns connections to members, and ends connections and subscriptions that are not allowed any more. */
export function createAuthorization(parts: {
  options: Pick<RealtimeOptions, "findAccess" | "maxPerUser" | "countInstances" | "log">;
  hub: Hub;
  presence: Presence;
  channels: Channels;
}) {
  const { options, hub, presence, channels } = parts;
  /** Rechecks so far. A query that began before a recheck may have read the old access, so it is repeated. */
  let changes = 0;
  let hasFailed = false;

  async function findAccess(sessionIds: readonly string[]): Promise<Map<string, Access>> {
    for (;;) {
      const before = changes;
      const found = await options.findAccess(sessionIds);
      if (changes === before) return found;
    }
  }

  /** `undefined` if the session has ended. Rejects while the database is down. */
  async function loadAccess(sessionId: string): Promise<Access | undefined> {
    return (await findAccess([sessionId])).get(sessionId);
  }

  /**
   * Closes connections whose session has ended. Unsubscribes the others from channels that are now forbidden, and tells
   * their pages about changed permissions. Never rejects.
   */
  async function recheck(connections: Iterable<Connection>): Promise<void> {
    changes += 1;
    const bound = [...connections].filter((connection) => connection.access);
    try {
      for (let start = 0; start < bound.length; start += sessionsPerQuery) {
        if (start > 0) await setImmediate();
        await recheckBatch(bound.slice(start, start + sessionsPerQuery));
      }
    } catch (error) {
      hasFailed = true;
      options.log.warn("access-check-failed", { error: String(error) });
    }
  }

  async function recheckBatch(connections: readonly Connection[]): Promise<void> {
    const asked = new Set(connections.flatMap((connection) => connection.access?.sessionId ?? []));
    const found = await findAccess([...asked]);
    for (const connection of connections) {
      const known = connection.access;
      // The query did not include a session hash to which the connection was bound during the query.
      if (!known || !asked.has(known.sessionId) || !hub.has(connection)) continue;
      const access = found.get(known.sessionId);
      if (access?.userId === known.userId) applyAccess(connection, known, access);
      else hub.disconnect(connection, closeCodes.unauthorized, "Session ended");
    }
  }

  function applyAccess(connection: Connection, known: Access, access: Access): void {
    connection.access = access;
    const ownChannel = `${userChannelPrefix}${access.userId}`;
    const hasOtherPermissions = known.permissions.join() !== access.permissions.join();
    if (hasOtherPermissions && connection.channels.has(ownChannel)) {
      sendFrame(connection, encodeFrame(memberChanged.name, {}, ownChannel));
    }
    for (const name of connection.channels) {
      const channel = channels.get(name);
      if (channel && !canJoin(channel, access)) {
        hub.leave(connection, name);
        sendFrame(connection, encodeSubscriptionError(name, 403, "Permission missing"));
      } else if (name === presenceChannel) presence.updateMember(access);
    }
  }

  /** A call during a running recheck causes one more run. */
  const recheckAll = coalesce(() => {
    hasFailed = false;
    return recheck(hub.all());
  });

  return {
    loadAccess,
    /** `false` if the session has ended, or the connection was closed because the member has too many. */
    async bind(connection: Connection, sessionId: string): Promise<boolean> {
      const access = await loadAccess(sessionId);
      if (!access || !hub.has(connection)) return false;
      const max = divideByInstances(options.maxPerUser, options.countInstances());
      const isAllowed = hub.ofUser(access.userId).size < max;
      if (isAllowed) hub.bind(connection, access);
      else hub.disconnect(connection, closeCodes.tooManySockets, "Too many connections");
      return isAllowed;
    },
    recheck,
    recheckAll,
    /** Does nothing unless an earlier recheck failed because the database was down. */
    retryFailed(): void {
      if (hasFailed) void recheckAll();
    },
  };
}
