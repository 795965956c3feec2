import type { Connection } from "./connection.ts";

/** The grant name for a sign-in; no channel can have this name. */
export const signInGrant = "#sign-in";

export type Grants = ReturnType<typeof createGrants>;

/**
 * Creates the list of grants: each allows one subscription of one socket to one channel, for one session. A signature needs its
 * grant, so it is worthless on another socket or a second time. `waitMs`: milliseconds that `consume` waits for another instance;
 * 0 on a single instance.
 */
export function createGrants(waitMs: number) {
  const waiting = new Map<string, () => void>();

  return {
    add(connection: Connection, channel: string, sessionId: string): void {
      connection.grants.set(channel, sessionId);
      waiting.get(`${connection.socketId} ${channel}`)?.();
    },
    /** Uses up the grant and returns its session; waits for a grant that another instance may still be sending. */
    async consume(connection: Connection, channel: string): Promise<string | undefined> {
      if (waitMs > 0 && !connection.grants.has(channel)) {
        const key = `${connection.socketId} ${channel}`;
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, waitMs).unref();
          waiting.set(key, () => {
            clearTimeout(timer);
            resolve();
          });
        });
        waiting.delete(key);
      }
      const sessionId = connection.grants.get(channel);
      connection.grants.delete(channel);
      return sessionId;
    },
  };
}
