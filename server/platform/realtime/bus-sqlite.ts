import { EventEmitter } from "node:events";

import type { Database } from "#server/db/connect.ts";
import { type Bus, createInstanceId } from "./bus.ts";

/**
 * Creates the bus for SQLite, where only one instance runs, so that messages have no receivers. A
 * write by another process, the command line, is reported as a gap.
 */
export function createSqliteBus(watchExternalWrites: Database["watchExternalWrites"]): Bus {
  const events = new EventEmitter<{ gap: [] }>();
  const endWatch = watchExternalWrites(() => void events.emit("gap"));
  return {
    instance: createInstanceId(),
    reachesOthers: false,
    send: () => Promise.resolve(),
    onMessage: () => {},
    onGap: (listener) => void events.on("gap", listener),
    close: () => {
      endWatch();
      return Promise.resolve();
    },
  };
}
