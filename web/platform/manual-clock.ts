import type { Clock } from "./clock.ts";

export interface ManualClock extends Clock {
  /** Lets this much time pass: runs what falls due, in order, and everything that follows from it. */
  advance(ms: number): Promise<void>;
}

/** A clock that stands still until a test moves it. */
export function createManualClock(): ManualClock {
  let now = Date.parse("2026-11-20T20:00:00Z");
  const timers = new Set<{ readonly at: number; readonly work: () => void }>();
  return {
    now: () => now,
    after(ms, work) {
      const timer = { at: now + ms, work };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async advance(ms) {
      const end = now + ms;
      await settle();
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at);
        if (next === undefined) break;
        timers.delete(next);
        now = next.at;
        next.work();
        await settle();
      }
      now = end;
    },
  };
}

/** Lets all promises that can be settled go on. */
function settle(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve));
}
