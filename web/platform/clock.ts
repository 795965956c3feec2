/** The time and the timers, so that tests can let hours pass without waiting. */
export interface Clock {
  /** Epoch ms. */
  now(): number;
  /** Runs `work` once after `ms`. Returns a function that prevents that. */
  after(ms: number, work: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};
