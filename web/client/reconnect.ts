/**
 * Returns milliseconds: about 250 at first (another instance may be ready), five times about 1,200 (a restart is
 * short), then exponentially up to 30,000. With 50 % jitter.
 */
export function reconnectDelay(attempt: number, random: number = Math.random()): number {
  const delay = attempt === 0 ? 250 : 1_200 * 2 ** Math.max(0, attempt - 5);
  return Math.min(30_000, delay) * (0.5 + random);
}

/**
 * Returns milliseconds before the first attempt, because after a restart all pages reconnect: 0.6 per present member,
 * at most 30,000.
 */
export function reconnectSpread(presentCount: number, random: number = Math.random()): number {
  return Math.min(30_000, 0.6 * presentCount) * random;
}
