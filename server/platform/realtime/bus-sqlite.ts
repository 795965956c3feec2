import { EventEmitter } from "node:events";

import type { Database } from "#server/db/connect.ts";
import { type Bus, createInstanceId } from "./bus.ts";

/**
 * Creates the bus of a single instance on SQLite: it has no receivers, and reports a write by another process (the command line)
 * as a gap.
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
