import type { Database } from "#server/db/connect.ts";
import { afterCommit } from "#server/db/transaction-scope.ts";
import { type Bus, createBusListeners, createInstanceId } from "./bus.ts";

/**
 * Creates the bus for SQLite. Only one instance runs there, so it delivers its messages to itself.
 * When another process, the command line, has written to the database, the listeners of `onGap` are
 * called.
 */
export function createSqliteBus(watchExternalWrites: Database["watchExternalWrites"]): Bus {
  const instance = createInstanceId();
  const { deliver, reportGap, ...listeners } = createBusListeners();
  const endWatch = watchExternalWrites(reportGap);
  return {
    ...listeners,
    instance,
    reachesOthers: false,
    send: (db, message) => afterCommit(db, () => deliver(message, instance)),
    tell: () => Promise.resolve(),
    isDeaf: () => false,
    close: () => {
      endWatch();
      return Promise.resolve();
    },
  };
}
