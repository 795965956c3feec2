import { useId, type ReactNode } from "react";

import styles from "./area-curve.module.css";
import { createCurve, curveHeight, curvePath, curvePosition } from "./curve.ts";

interface AreaCurveProps {
  /** Accessible name of the curve; `texts` is its text alternative. */
  readonly label: string;
  /** Numbers of beers in consecutive time spans of equal length. */
  readonly counts: readonly number[];
  /** Labels below the curve, each at the beginning of the span with the index `span`. */
  readonly ticks: readonly { readonly span: number; readonly text: string }[];
  /** Index of the span that is marked on the curve; `null` for none. */
  readonly marked: number | null;
  /** The counts in words, for screen readers. */
  readonly texts: readonly { readonly key: string; readonly text: string }[];
}

const [width, height] = [1000, 180];

/** Draws counts over time as a hill of beer with a head of foam. */
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
