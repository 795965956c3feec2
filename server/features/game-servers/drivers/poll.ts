import { setTimeout as sleep } from "node:timers/promises";

import type { Driver, Observation, Target } from "./driver.ts";

type Inspect = (target: Target) => Promise<Observation>;

export interface WatchOptions {
  readonly targets: () => readonly Target[];
  readonly changed: Parameters<Driver["watch"]>[1];
  readonly signal: AbortSignal;
}

/** Last observation of each target as JSON, by server id. */
export type LastObservations = Map<number, string>;

/** Watches for drivers that get no events about changes. */
export function watchByPolling(inspect: Inspect, everyMs: number): Driver["watch"] {
  return (targets, changed, signal) => void poll(inspect, { targets, changed, signal }, everyMs);
}

/** Inspects all targets every `everyMs` milliseconds, and reports new or changed ones. */
export async function poll(
  inspect: Inspect,
  { targets, changed, signal }: WatchOptions,
  everyMs: number,
  last: LastObservations = new Map(),
): Promise<void> {
  // A driver throws, e.g., if no file descriptor is left for reading /proc.
  const observe = async (one: Target) => JSON.stringify(await inspect(one).catch(() => ({ kind: "unreachable" })));
  while (!signal.aborted) {
    const now = await Promise.all(targets().map(async (one) => [one.id, await observe(one)] as const));
    if (signal.aborted) return;
    const different = now.filter(([id, observation]) => last.get(id) !== observation).map(([id]) => id);
    last.clear();
    for (const [id, observation] of now) last.set(id, observation);
    if (different.length > 0) changed(different);
    // `ref: false` does not keep the process alive.
    await sleep(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
