import type { Access } from "./options.ts";

export const sessionsPerQuery = 500;
const concurrentQueries = 2;

interface Waiting {
  readonly sessionId: string;
  readonly outcome: PromiseWithResolvers<Access | undefined>;
}

/**
 * Creates a function that loads the access of one session: its member and the member's permissions.
 * After a restart, thousands of sockets open at the same time, so sessions that are requested while
 * earlier queries run share the next query. The function rejects if a session is not checked within
 * `maxWait` ms.
 */
export function createAccessQueue(parts: {
  findAccess(sessionIds: readonly string[]): Promise<Map<string, Access>>;
  maxWait: number;
}): (sessionId: string) => Promise<Access | undefined> {
  const { findAccess, maxWait } = parts;
  const waiting = new Set<Waiting>();
  let running = 0;

  async function runQuery(): Promise<void> {
    const batch = [...waiting].slice(0, sessionsPerQuery);
    for (const one of batch) waiting.delete(one);
    try {
      const found = await findAccess([...new Set(batch.map(({ sessionId }) => sessionId))]);
      for (const { sessionId, outcome } of batch) outcome.resolve(found.get(sessionId));
    } catch (error) {
      for (const { outcome } of batch) outcome.reject(error);
    }
    running -= 1;
    startQueries();
  }

  function startQueries(): void {
    while (running < concurrentQueries && waiting.size > 0) {
      running += 1;
      void runQuery();
    }
  }

  return async (sessionId) => {
    const one: Waiting = { sessionId, outcome: Promise.withResolvers() };
    // Waits until all sessions that are requested in this turn of the event loop have been added.
    if (waiting.size === 0) setImmediate(startQueries);
    waiting.add(one);
    const timer = setTimeout(() => {
      waiting.delete(one);
      one.outcome.reject(new Error("The session was not checked in time"));
    }, maxWait);
    return one.outcome.promise.finally(() => clearTimeout(timer));
  };
}
