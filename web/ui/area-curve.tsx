import { useId, type ReactNode } from "react";

import styles from "./area-curve.module.css";

/** Coordinates from 0 to 1; y from the bottom. */
export interface CurvePoint {
  readonly x: number;
  readonly y: number;
}

/** Weights of a count and its neighbors: few beers make hills instead of spikes. */
const weights = [1, 4, 6, 4, 1];
const reach = 2;

/** Returns a curve through counts of equal time spans, scaled to a maximum of 1, from 0 to 0. */
export function createCurve(counts: readonly number[]): readonly CurvePoint[] {
  const length = counts.length + 2 * (reach + 1);
  const countAt = (index: number): number => counts[index - reach - 1] ?? 0;
  const smooth = Array.from({ length }, (_, index) =>
    weights.reduce((sum, weight, shift) => sum + weight * countAt(index + shift - reach), 0),
  );
  const highest = Math.max(1, ...smooth);
  return smooth.map((value, index) => ({ x: index / (length - 1), y: value / highest }));
}

/** Returns 0 to 1, the center of a span; an `index` ending in .5 is a border. */
export function curvePosition(index: number, count: number): number {
  return (index + reach + 1) / (count + 2 * (reach + 1) - 1);
}

/** Returns 0 to 1, the height in the center of a span. */
export function curveHeight(points: readonly CurvePoint[], index: number): number {
  return points[index + reach + 1]!.y;
}

/** Returns an SVG path in px, never below 0 or above the highest point. */
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

/** Returns the slope of a monotone cubic interpolation: 0 at extremes, and never out of the range of two neighbors. */
function slopeAt(points: readonly CurvePoint[], index: number): number {
  const [before, here, after] = [points[index - 1], points[index]!, points[index + 1]];
  if (!before || !after) return 0;
  const left = (here.y - before.y) / (here.x - before.x);
  const right = (after.y - here.y) / (after.x - here.x);
  if (left * right <= 0) return 0;
  const steepest = 3 * Math.min(Math.abs(left), Math.abs(right));
  return Math.sign(left) * Math.min(Math.abs(left + right) / 2, steepest);
}

interface AreaCurveProps {
  /** `texts` is its text alternative. */
  readonly label: string;
  /** One count per time span of equal length. */
  readonly counts: readonly number[];
  /** Labels at the beginning of the span with the index `span`. */
  readonly ticks: readonly { readonly span: number; readonly text: string }[];
  /** Index of a span. */
  readonly marked: number | null;
  /** The counts in words, for screen readers. */
  readonly texts: readonly { readonly key: string; readonly text: string }[];
}

const [width, height] = [1000, 180];

export function AreaCurve({ label, counts, ticks, marked, texts }: AreaCurveProps): ReactNode {
  const id = useId();
  const points = createCurve(counts);
  const line = curvePath(points, width, height);
  const area = `${line}L${width} ${height}L0 ${height}Z`;
  const at = (span: number): string => `${(curvePosition(span, counts.length) * 100).toFixed(2)}%`;
  const top = marked === null ? null : curveHeight(points, marked);
  return (
    <figure className={styles["figure"]} aria-label={label}>
      <div className={styles["plot"]} aria-hidden="true">
        <svg className={styles["drawing"]} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
          <defs>
            <linearGradient id={`${id}-beer`} x1="0" y1="0" x2="0" y2="1">
              <stop className={styles["light"]} offset="0" />
              <stop className={styles["deep"]} offset="1" />
            </linearGradient>
            <clipPath id={`${id}-glass`}>
              <path d={area} />
            </clipPath>
          </defs>
          <path d={area} fill={`url(#${id}-beer)`} />
          <path className={styles["foam"]} d={line} clipPath={`url(#${id}-glass)`} />
          <path className={styles["rim"]} d={line} />
        </svg>
        {marked !== null && top !== null && (
          <span className={styles["mark"]} style={{ insetInlineStart: at(marked), insetBlockEnd: `${top * 100}%` }} />
        )}
      </div>
      <div className={styles["ticks"]} aria-hidden="true">
        {ticks.map(({ span, text }) => (
          <span key={span} style={{ insetInlineStart: at(span - 0.5) }}>
            {text}
          </span>
        ))}
      </div>
      <ul className="visually-hidden">
        {texts.map(({ key, text }) => (
          <li key={key}>{text}</li>
        ))}
      </ul>
    </figure>
  );
}
