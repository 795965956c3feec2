import type { Database } from "#server/db/connect.ts";
import { afterCommit } from "#server/db/transaction-scope.ts";
import type { Log } from "#server/platform/log.ts";
import { type Bus, createBusListeners, createInstanceId } from "./bus.ts";

/** Delivers its messages to itself, as only one instance runs on SQLite. `onGap` reports writes of the command line. */
export function createSqliteBus(watchExternalWrites: Database["watchExternalWrites"], log: Log): Bus {
  const instance = createInstanceId();
  const { deliver, reportGap, ...listeners } = createBusListeners(log);
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
