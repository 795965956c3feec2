import type { Database } from "#server/db/connect.ts";
import { afterCommit } from "#server/db/transaction-scope.ts";
import { type Bus, createBusListeners, createInstanceId } from "./bus.ts";

/**
 * Creates the bus for SQLite, where only one instance runs, which delivers its messages itself. The
 * command line is another process; after its writes, the listeners of `onGap` are called.
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
