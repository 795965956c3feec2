import { setTimeout as sleep } from "node:timers/promises";

import {
  type Driver,
  EngineRefusedError,
  EngineUnreachableError,
  type Observation,
} from "#server/features/game-servers/drivers/driver.ts";
import { type Timings, defaultTimings } from "#server/features/game-servers/manager/timings.ts";

type Found = Extract<Observation, { kind: "found" }>;

/** An engine that does what the test says, with every container in memory. Its clock is the house's. */
export interface FakeDriver {
  readonly driver: Driver;
  /** Every start and stop that reached it, e.g. `start teeworlds`. */
  readonly calls: readonly string[];
  /** How many starts and stops of one container were under way at once, at most. */
  readonly mostAtOnce: number;
  isReachable: boolean;
  /** Answers nothing at all any more. */
  isHanging: boolean;
  /** How long starts and stops take. */
  startMs: number;
  stopMs: number;
  /** Puts a container into some state, as somebody at its command line would, and lets those who watch know. */
  set(ref: string, state: Partial<Found> | null): void;
  /** What the next starts of this container lead to. */
  onStart: (ref: string) => Partial<Found> | Error;
  /** As it was when it was opened. */
  reset(): void;
  /** Says to those who watch that it came or went. */
  notifyWatchers(): void;
}

/** Patience for tests: seconds become moments, the house's clock decides what depends on it. */
export const fastTimings: Timings = {
  ...defaultTimings,
  ...{ beat: 25, calm: 60_000, unsettled: 10, unreachable: 40, opened: 60_000 },
  ...{ inspectWithin: 150, openedWait: 80, startWithin: 400, count: 30, remote: 500 },
};

const off: Found = {
  kind: "found",
  isAlive: false,
  word: "created",
  exitCode: null,
  isOutOfMemory: false,
  isReady: null,
  startedAt: null,
};

export function createFakeDriver(clock: { now(): number }): FakeDriver {
  const containers = new Map<string, Found>();
  const watchers = new Set<(ids: readonly number[] | "all") => void>();
  const busy = new Map<string, number>();
  const calls: string[] = [];
  let mostAtOnce = 0;
  let resets = 0;

  const runs = (): Partial<Found> => ({ isAlive: true, word: "running", startedAt: clock.now(), exitCode: null });

  async function change(word: "start" | "stop", ref: string, ms: number, next: () => Partial<Found> | Error) {
    if (!engine.isReachable) throw new EngineUnreachableError("no socket");
    calls.push(`${word} ${ref}`);
    busy.set(ref, (busy.get(ref) ?? 0) + 1);
    mostAtOnce = Math.max(mostAtOnce, busy.get(ref)!);
    const began = resets;
    await sleep(ms);
    // What the test before had begun is none of this one's business.
    if (began !== resets) return;
    busy.set(ref, busy.get(ref)! - 1);
    if (!engine.isReachable) throw new EngineUnreachableError("went away");
    const state = next();
    if (state instanceof Error) throw state;
    engine.set(ref, state);
  }

  const engine: FakeDriver = {
    calls,
    get mostAtOnce() {
      return mostAtOnce;
    },
    isReachable: true,
    isHanging: false,
    startMs: 0,
    stopMs: 0,
    onStart: runs,
    set(ref, state) {
      if (state) containers.set(ref, { ...(containers.get(ref) ?? off), ...state });
      else containers.delete(ref);
      engine.notifyWatchers();
    },
    reset() {
      resets += 1;
      busy.clear();
      containers.clear();
      calls.length = 0;
      engine.isReachable = true;
      engine.isHanging = false;
      engine.startMs = engine.stopMs = 0;
      engine.onStart = runs;
    },
    notifyWatchers: () => watchers.forEach((changed) => changed("all")),
    driver: {
      async inspect({ ref }) {
        if (engine.isHanging) return new Promise(() => {});
        if (!engine.isReachable) return { kind: "unreachable" };
        return containers.get(ref) ?? { kind: "missing" };
      },
      start: ({ ref }) => {
        if (engine.isHanging) return new Promise(() => {});
        if (!containers.has(ref)) throw new EngineRefusedError("no such container");
        return change("start", ref, engine.startMs, () => engine.onStart(ref));
      },
      stop: ({ ref }) =>
        engine.isHanging
          ? new Promise(() => {})
          : change("stop", ref, engine.stopMs, () => ({ isAlive: false, word: "exited", exitCode: 143 })),
      watch(_targets, changed, signal) {
        watchers.add(changed);
        signal.addEventListener("abort", () => watchers.delete(changed));
      },
    },
  };
  return engine;
}
