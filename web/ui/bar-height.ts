/**
 * Returns a bar's height in per cent of the highest bar, with two decimals; 0 if all values are 0.
 */
export function barHeight(value: number, values: readonly number[]): number {
  const maximum = Math.max(0, ...values);
  return maximum === 0 ? 0 : Math.round((value / maximum) * 10_000) / 100;
}
