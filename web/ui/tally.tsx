import type { ReactNode } from "react";

import styles from "./tally.module.css";

/**
 * Highest count whose strokes are all drawn. For a higher count, the number of full bundles of five
 * is written, and only the remaining strokes are drawn.
 */
export const maxSingleStrokes = 50;
const bundlesPerRow = 5;
const bundleWidth = 44;
const bundleHeight = 40;

/**
 * Draws tally strokes in bundles of five, as on a beer mat. Hidden from screen readers, because the
 * number is always beside the strokes.
 */
export function Tally({ count }: { count: number }): ReactNode {
  const { times, strokes } = splitTally(count);
  const shift = times > 0 ? 1 : 0;
  const bundles = Math.ceil(strokes / 5) + shift;
  const rows = Math.max(1, Math.ceil(bundles / bundlesPerRow));
  const width = Math.min(bundlesPerRow, Math.max(1, bundles)) * bundleWidth;
  return (
    <span className={styles["tally"]} aria-hidden="true" data-times={times > 0 ? `${times} ×` : undefined}>
      <svg viewBox={`0 0 ${width} ${rows * bundleHeight}`} style={{ width: `${width / 16}em` }}>
        {times > 0 && strokePaths(5, 0).map((path, place) => <path key={place} d={path} />)}
        {strokePaths(strokes, shift).map((path, index) => (
          <path
            key={`${times}-${index}`}
            d={path}
            pathLength="1"
            className={index === strokes - 1 ? styles["newest"] : undefined}
          />
        ))}
      </svg>
    </span>
  );
}

/**
 * Splits a count into bundles of five strokes and single strokes. A high count is drawn as one bundle
 * with the number `times` beside it, and `strokes` single ones; a low count only as `strokes`, with
 * `times` 0.
 */
export function splitTally(count: number): { times: number; strokes: number } {
  if (count <= maxSingleStrokes) return { times: 0, strokes: Math.max(0, count) };
  return { times: Math.floor(count / 5), strokes: count % 5 };
}

/**
 * Returns one SVG path per tally stroke, in bundles of 44 by 40 units whose fifth stroke crosses
 * the other four. The strokes are irregular, as if drawn by hand.
 */
export function strokePaths(count: number, skippedBundles: number, perRow = bundlesPerRow): string[] {
  return Array.from({ length: count }, (_, index) => {
    const bundle = Math.floor(index / 5) + skippedBundles;
    const left = (bundle % perRow) * bundleWidth;
    const top = Math.floor(bundle / perRow) * bundleHeight;
    const wobble = (salt: number): number =>
      ((Math.imul(index + 7 * salt + skippedBundles, 2_654_435_761) >>> 16) % 100) / 25 - 2;
    if (index % 5 === 4) {
      return `M${left + 4 + wobble(1)} ${top + 27 + wobble(2)}Q${left + 22} ${top + 20 + wobble(3)} ${left + 40 + wobble(4)} ${top + 11}`;
    }
    const x = left + 9 + (index % 5) * 8;
    return `M${x + wobble(1) / 2} ${top + 6 + wobble(2)}Q${x + wobble(3)} ${top + 20} ${x - 1 + wobble(4) / 2} ${top + 34 + wobble(5)}`;
  });
}
