/** A point of a curve; x and y from 0 to 1, y from the bottom. */
export interface CurvePoint {
  readonly x: number;
  readonly y: number;
}

/** Smoothing weights of a count and its neighbours, so that few beers make hills instead of spikes. */
const weights = [1, 4, 6, 4, 1];
const reach = 2;

/** Returns a smooth curve through counts of equal time spans, scaled to a maximum of 1; it begins and ends at 0. */
export function createCurve(counts: readonly number[]): readonly CurvePoint[] {
  const length = counts.length + 2 * (reach + 1);
  const countAt = (index: number): number => counts[index - reach - 1] ?? 0;
  const smooth = Array.from({ length }, (_, index) =>
    weights.reduce((sum, weight, shift) => sum + weight * countAt(index + shift - reach), 0),
  );
  const highest = Math.max(1, ...smooth);
  return smooth.map((value, index) => ({ x: index / (length - 1), y: value / highest }));
}

/**
 * Returns the horizontal position (0 to 1) of the centre of a time span; an `index` ending in .5 is
 * the border between two spans.
 */
export function curvePosition(index: number, count: number): number {
  return (index + reach + 1) / (count + 2 * (reach + 1) - 1);
}

/** Returns the height of the curve in the centre of a time span, from 0 to 1. */
export function curveHeight(points: readonly CurvePoint[], index: number): number {
  return points[index + reach + 1]!.y;
}

/**
 * Returns the SVG path of a curve, `width` by `height` px. The path never falls below 0 or exceeds
 * the curve's highest point.
 */
export function curvePath(points: readonly CurvePoint[], width: number, height: number): string {
  const at = (index: number) => {
    const { x, y } = points[index]!;
    return { x: x * width, y: (1 - y) * height };
  };
  const slopes = points.map((_, index) => slopeAt(points, index));
  const step = (points[1]!.x - points[0]!.x) / 3;
  const round = (number: number): string => String(Math.round(number * 10) / 10);
  const { x, y } = at(0);
  const parts = points.slice(1).map((_, index) => {
    const [from, to] = [at(index), at(index + 1)];
    const numbers = [
      from.x + step * width,
      from.y - slopes[index]! * step * height,
      to.x - step * width,
      to.y + slopes[index + 1]! * step * height,
      to.x,
      to.y,
    ];
    return `C${numbers.map(round).join(" ")}`;
  });
  return `M${round(x)} ${round(y)}${parts.join("")}`;
}

/**
 * Returns the slope of a monotone cubic interpolation: 0 at extremes, and never so steep that the
 * curve leaves the range of two neighbours.
 */
function slopeAt(points: readonly CurvePoint[], index: number): number {
  const [before, here, after] = [points[index - 1], points[index]!, points[index + 1]];
  if (!before || !after) return 0;
  const left = (here.y - before.y) / (here.x - before.x);
  const right = (after.y - here.y) / (after.x - here.x);
  if (left * right <= 0) return 0;
  const steepest = 3 * Math.min(Math.abs(left), Math.abs(right));
  return Math.sign(left) * Math.min(Math.abs(left + right) / 2, steepest);
}
