import { setTimeout as sleep } from "node:timers/promises";

import type { Driver, Observation, Target } from "./driver.ts";

/** What a watch is given. */
export interface WatchOptions {
  readonly targets: () => readonly Target[];
  readonly changed: Parameters<Driver["watch"]>[1];
  readonly signal: AbortSignal;
}

/** What each target looked like last. */
export type LastObservations = Map<number, string>;

/** Looks at everything every `everyMs` and tells what is new or looks different, for whoever is told of nothing. Ends with the signal. */
export async function poll(
  inspect: (target: Target) => Promise<Observation>,
  { targets, changed, signal }: WatchOptions,
  everyMs: number,
  seen: LastObservations = new Map(),
): Promise<void> {
  while (!signal.aborted) {
    const now = await Promise.all(targets().map(async (one) => [one.id, JSON.stringify(await inspect(one))] as const));
    if (signal.aborted) return;
    const different = now.filter(([id, look]) => seen.get(id) !== look).map(([id]) => id);
    seen.clear();
    for (const [id, look] of now) seen.set(id, look);
    if (different.length > 0) changed(different);
    await sleepUnlessAborted(everyMs, signal);
  }
}

/** Waits, at most until the signal, and keeps no process alive. */
export async function sleepUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
