import type { ReactNode } from "react";

import styles from "./beer-mat.module.css";

interface BeerMatProps {
  /**
   * `round` is a circle with a printed wreath, `square` a plain card, and `chart` a card with a
   * printed frame.
   */
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

/** SVG path of a round mat's edge: shallow waves around a circle with a radius of 194. */
export const scallops = Array.from({ length: waves + 1 }, (_, step) => {
  const angle = (step / waves) * 2 * Math.PI;
  const point = `${(194 * Math.cos(angle)).toFixed(1)} ${(194 * Math.sin(angle)).toFixed(1)}`;
  return step === 0 ? `M${point}` : `A11 11 0 0 1 ${point}`;
}).join("");

/**
 * The grains of two ears of barley that climb along the ring from the bottom. `turn` rotates a
 * grain around the mat's centre, `out` moves it outwards, `lean` rotates it around itself; angles
 * are in degrees.
 */
export const wreath = Array.from({ length: 11 }, (_, step) => 16 + step * 8).flatMap((angle) =>
  [1, -1].flatMap((side) =>
    [1, -1].map((lean) => ({ turn: -side * (angle + lean * 2), out: 157 + lean * 5.5, lean: side * lean * 24 })),
  ),
);
