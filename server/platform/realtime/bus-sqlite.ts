import { type Bus, createInstanceId } from "./bus.ts";

/** Calls back after another process wrote to the database file; returns the function that stops watching. */
export type WatchForeignWrites = (onWrite: () => void) => () => void;

/** The bus of a single instance on SQLite: there is no receiver, and a write by another process (the command line) is a gap. */
export function createSqliteBus(watchForeignWrites: WatchForeignWrites): Bus {
  const listeners: (() => void)[] = [];
  const endWatch = watchForeignWrites(() => {
    for (const listener of listeners) listener();
  });
  return {
    instance: createInstanceId(),
    reachesOthers: false,
    send: () => Promise.resolve(),
    onMessage: () => {},
    onGap: (listener) => {
      listeners.push(listener);
    },
    close: () => {
      endWatch();
      return Promise.resolve();
    },
  };
}
