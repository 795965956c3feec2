import type { Connection } from "./connection.ts";

/** The name under which a sign-in is granted; no channel can have it. */
export const signInGrant = "#sign-in";

/**
 * What the auth endpoints allowed: this session, this socket, this channel, once. The signature alone opens nothing, so
 * one that was copied to another socket, or kept for later, is worthless.
 */
export interface Grants {
  put(connection: Connection, channel: string, sessionId: string): void;
  /** Uses the grant up. Waits for one that another instance may still be sending. */
  take(connection: Connection, channel: string): Promise<string | undefined>;
}

export function createGrants(waitFor: number): Grants {
  const waiting = new Map<string, () => void>();

  function takeNow(connection: Connection, channel: string): string | undefined {
    const sessionId = connection.grants.get(channel);
    connection.grants.delete(channel);
    return sessionId;
  }

  return {
    put: (connection, channel, sessionId) => {
      connection.grants.set(channel, sessionId);
      waiting.get(`${connection.socketId} ${channel}`)?.();
    },
    take: async (connection, channel) => {
      if (waitFor > 0 && !connection.grants.has(channel)) {
        const key = `${connection.socketId} ${channel}`;
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, waitFor).unref();
          waiting.set(key, () => {
            clearTimeout(timer);
            resolve();
          });
        });
        waiting.delete(key);
      }
      return takeNow(connection, channel);
    },
  };
}
