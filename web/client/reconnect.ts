/**
 * In ms: about 0.25 s at first (another instance may be ready), five times about 1.2 s (a restart is short), then
 * exponential up to 30 s. With 50 % jitter.
 */
export function reconnectDelay(attempt: number, random: number = Math.random()): number {
  const delay = attempt === 0 ? 250 : 1_200 * 2 ** Math.max(0, attempt - 5);
  return Math.min(30_000, delay) * (0.5 + random);
}

/**
 * In ms, before the first attempt, because after a restart all pages reconnect: 0.6 ms per present member, at most 30
 * s.
 */
export function reconnectSpread(presentCount: number, random: number = Math.random()): number {
  return Math.min(30_000, 0.6 * presentCount) * random;
}
