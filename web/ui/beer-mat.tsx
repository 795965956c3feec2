import { type ReactNode, useLayoutEffect, useState } from "react";

import styles from "./beer-mat.module.css";

interface BeerMatProps {
  /** A circle with a wreath, a plain card, or a card with a frame. */
  readonly shape: "round" | "square" | "chart";
  readonly children: ReactNode;
}

export function BeerMat({ shape, children }: BeerMatProps): ReactNode {
  return (
    <div className={styles[shape]}>
      {shape === "round" && <RoundPrint />}
      <div className={styles["content"]}>{children}</div>
    </div>
  );
}

function RoundPrint(): ReactNode {
  return (
    <svg className="covering" viewBox="-200 -200 400 400" aria-hidden="true">
      <path className={styles["board"]} d={scallops} />
      <circle className={styles["ring"]} r="181" strokeWidth="4" />
      <circle className={styles["ring"]} r="174" strokeWidth="1.2" />
      {wreath.map(({ turn, out, lean }) => (
        <ellipse
          key={`${turn} ${out}`}
          className={styles["grain"]}
          rx="9.5"
          ry="3.8"
          transform={`rotate(${turn}) translate(0 ${out}) rotate(${lean})`}
        />
      ))}
    </svg>
  );
}

const waves = 64;

/** Shallow waves around a circle with a radius of 194. */
export const scallops = Array.from({ length: waves + 1 }, (_, step) => {
  const angle = (step / waves) * 2 * Math.PI;
  const point = `${(194 * Math.cos(angle)).toFixed(1)} ${(194 * Math.sin(angle)).toFixed(1)}`;
  return step === 0 ? `M${point}` : `A11 11 0 0 1 ${point}`;
}).join("");

/**
 * Grains of two ears of barley along the ring. `turn` rotates around the mat's center, `lean` around the grain itself,
 * in degrees; `out` moves outwards.
 */
export const wreath = Array.from({ length: 11 }, (_, step) => 16 + step * 8).flatMap((angle) =>
  [1, -1].flatMap((side) =>
    [1, -1].map((lean) => ({ turn: -side * (angle + lean * 2), out: 157 + lean * 5.5, lean: side * lean * 24 })),
  ),
);

/** Requires a container as wide as the mat. */
export function MatNumber({ text, ...rest }: { text: string; "data-counter"?: string }): ReactNode {
  return (
    <span {...rest} className={styles["number"]} data-characters={text.length}>
      <RollingNumber text={text} />
    </span>
  );
}

/** Shows actions as `below`. */
export function MatMessage({ children, below }: { children: ReactNode; below?: ReactNode }): ReactNode {
  return (
    <div className={styles["message"]}>
      <div className={styles["mat"]}>
        <BeerMat shape="round">
          <div className={styles["text"]}>{children}</div>
        </BeerMat>
      </div>
      {below}
    </div>
  );
}

const rollingMs = 450;

/**
 * Rolls the old digits in CSS. The new text is in the page at once, so that screen readers read no intermediate number.
 */
export function RollingNumber({ text }: { text: string }): ReactNode {
  const [was, setWas] = useState(text);
  useLayoutEffect(() => {
    const timer = setTimeout(() => setWas(text), rollingMs);
    return () => {
      clearTimeout(timer);
      setWas(text);
    };
  }, [text]);
  if (was === text) return text;
  const { kept, figures } = difference(was, text);
  return (
    <>
      {kept}
      {figures.map(({ now, before }, place) => (
        <span key={`${text}-${place}`} className={styles["figure"]} data-before={before}>
          <span className={styles["now"]}>{now}</span>
        </span>
      ))}
    </>
  );
}

/** Splits off the common prefix, and pairs the rest with the previous digits. With another length, all digits roll. */
export function difference(was: string, text: string): { kept: string; figures: { now: string; before: string }[] } {
  const isSameLength = was.length === text.length;
  let same = 0;
  if (isSameLength) while (same < text.length && was[same] === text[same]) same += 1;
  const before = was.padStart(text.length).slice(-text.length);
  const figures = [...text.slice(same)].map((now, place) => ({ now, before: before[same + place] ?? "" }));
  return { kept: text.slice(0, same), figures };
}

/** Above this count, the number of full bundles is written, and only the remaining strokes are drawn. */
export const maxSingleStrokes = 50;
const bundlesPerRow = 5;
const bundleWidth = 44;
const bundleHeight = 40;

/** Hides the strokes from screen readers, because the number is always beside them. */
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

/** Returns `times`, the number beside a single bundle, for a high count; only `strokes` for a low one. */
export function splitTally(count: number): { times: number; strokes: number } {
  if (count <= maxSingleStrokes) return { times: 0, strokes: Math.max(0, count) };
  return { times: Math.floor(count / 5), strokes: count % 5 };
}

/**
 * Returns a path per stroke, irregular as if drawn by hand, in bundles of 44 by 40 units whose fifth stroke crosses the
 * others.
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
