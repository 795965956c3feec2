/** Wall-clock time in epoch milliseconds. Tests pass a clock of their own. */
export interface Clock {
  now(): number;
  /** The same for waits that nobody shall get around: a clock that is set meanwhile does not move it while the process lives. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Math.round(performance.timeOrigin + performance.now()),
};
