import type { Connection } from "./connection.ts";

/** The grant name for a sign-in; no channel can have this name. */
export const signInGrant = "#sign-in";

export type Grants = ReturnType<typeof createGrants>;

/**
 * Creates the store of grants. A grant allows one socket and session to subscribe once to one
 * channel. A signature is valid only with its grant, so it is useless on another socket or a second
 * time. `consume` waits `waitMs` milliseconds for another instance; 0 with a single instance.
 */
export function createGrants(waitMs: number) {
  const waiting = new Map<string, () => void>();

  return {
    add(connection: Connection, channel: string, sessionId: string): void {
      connection.grants.set(channel, sessionId);
      waiting.get(`${connection.socketId} ${channel}`)?.();
    },
    /**
     * Uses up a grant and returns its session; `undefined` without a grant. Waits for a grant that
     * another instance may still be sending.
     */
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
