import {
  type Driver,
  EngineRefusedError,
  EngineUnreachableError,
  found,
  type FoundObservation,
  type Observation,
} from "#server/features/game-servers/drivers/driver.ts";
import { type Timings, defaultTimings } from "#server/features/game-servers/manager/timings.ts";

/** A driver that the test controls: it keeps all containers in memory and uses the app's clock. */
export interface FakeDriver {
  readonly driver: Driver;
  /** Every start and stop that the driver received, e.g. `start teeworlds`. */
  readonly calls: readonly string[];
  /**
   * The largest number of starts and stops of one container that were in progress at the same time.
   */
  readonly mostAtOnce: number;
  isReachable: boolean;
  /** `true` if calls to the driver never return. */
  isHanging: boolean;
  /** Delays the end of starts and stops until the returned function or reset() is called. */
  pause(): () => void;
  /** Changes a container as if from outside of the app (`null` removes it), and notifies the watchers. */
  set(ref: string, state: Partial<FoundObservation> | null): void;
  /** Returns the state of a container after a start, or the error of the start. */
  onStart: (ref: string) => Partial<FoundObservation> | Error;
  /** Removes all containers and faults, and ends changes in progress. */
  reset(): void;
  notifyWatchers(): void;
}

/**
 * Timings of the game server manager, shortened from seconds to milliseconds. Times that depend on
 * the app's clock, which only the test advances, are not shortened.
 */
export const fastTimings: Timings = {
  ...defaultTimings,
  tickMs: 25,
  stableMs: 60_000,
  transitionalMs: 10,
  unreachableMs: 40,
  settleMs: 1,
  pageMs: 60_000,
  pageWaitMs: 80,
  inspectMs: 150,
  startMs: 1000,
  playersMs: 30,
  remoteMs: 500,
};

const never = new Promise<never>(() => {});

export function createFakeDriver(clock: { now(): number }): FakeDriver {
  const containers = new Map<string, Observation>();
  const watchers = new Set<(ids: readonly number[] | "all") => void>();
  const busy = new Map<string, number>();
  const calls: string[] = [];
  let mostAtOnce = 0;
  let round = 0;
  let changing = Promise.withResolvers<void>();
  changing.resolve();

  const running = (): Partial<FoundObservation> => ({
    isAlive: true,
    status: "running",
    startedAt: clock.now(),
    exitCode: null,
  });

  async function change(
    action: "start" | "stop",
    ref: string,
    next: () => Partial<FoundObservation> | Error,
  ): Promise<void> {
    if (fake.isHanging) return never;
    if (!fake.isReachable) throw new EngineUnreachableError("no socket");
    if (!containers.has(ref)) throw new EngineRefusedError("no such container");
    calls.push(`${action} ${ref}`);
    busy.set(ref, (busy.get(ref) ?? 0) + 1);
    mostAtOnce = Math.max(mostAtOnce, busy.get(ref)!);
    const begun = round;
    await changing.promise;
    if (begun !== round) return;
    busy.set(ref, busy.get(ref)! - 1);
    if (!fake.isReachable) throw new EngineUnreachableError("went away");
    const state = next();
    if (state instanceof Error) throw state;
    fake.set(ref, state);
  }

  const fake: FakeDriver = {
    calls,
    get mostAtOnce() {
      return mostAtOnce;
    },
    isReachable: true,
    isHanging: false,
    pause() {
      changing = Promise.withResolvers();
      return changing.resolve;
    },
    onStart: running,
    set(ref, state) {
      const before = containers.get(ref) ?? found({ isAlive: false, status: "created" });
      if (state) containers.set(ref, { ...before, ...state } as Observation);
      else containers.delete(ref);
      fake.notifyWatchers();
    },
    reset() {
      round += 1;
      changing.resolve();
      busy.clear();
      containers.clear();
      calls.length = 0;
      fake.isReachable = true;
      fake.isHanging = false;
      fake.onStart = running;
    },
    notifyWatchers: () => watchers.forEach((changed) => changed("all")),
    driver: {
      async inspect({ ref }) {
        if (fake.isHanging) return never;
        if (!fake.isReachable) return { kind: "unreachable" };
        return containers.get(ref) ?? { kind: "missing" };
      },
      start: ({ ref }) => change("start", ref, () => fake.onStart(ref)),
      stop: ({ ref }) => change("stop", ref, () => ({ isAlive: false, status: "exited", exitCode: 143 })),
      watch(_targets, changed, signal) {
        watchers.add(changed);
        signal.addEventListener("abort", () => watchers.delete(changed));
      },
    },
  };
  return fake;
}
