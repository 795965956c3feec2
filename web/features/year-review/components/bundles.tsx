import type { ReactNode } from "react";

import { strokePaths } from "#web/ui/tally.tsx";
import { turn } from "./card-frame.tsx";
import styles from "./drawings.module.css";
import reveal from "./reveal.module.css";

/** Maximum number of drawn strokes. The exact number of beers is written below the drawing. */
const maxStrokes = 1000;
/** Maximum number of steps in which the strokes appear. */
const maxGoes = 40;
const shape = { width: 44, height: 40 };

/** Draws a tally stroke for each beer of a year. The more beers, the smaller the strokes. */
export function Bundles({ count }: { count: number }): ReactNode {
  const bundles = Math.ceil(Math.min(count, maxStrokes) / 5);
  const perRow = Math.ceil(Math.sqrt(bundles * 1.2));
  const strokes = strokePaths(Math.min(count, maxStrokes), 0, perRow);
  const perGo = Math.ceil(strokes.length / maxGoes);
  const goes = Array.from({ length: Math.ceil(strokes.length / perGo) }, (_, index) =>
    strokes.slice(index * perGo, (index + 1) * perGo).join(""),
  );
  // Narrows the view box for fewer than five strokes, so that they are centered.
  const width = Math.min(perRow * shape.width, 10 + count * 8);
  return (
    <svg
      className={styles["bundles"]}
      viewBox={`0 0 ${width} ${Math.ceil(bundles / perRow) * shape.height}`}
      aria-hidden="true"
    >
      {goes.map((path, index) => (
        <path key={path} className={reveal["fade-in"]} style={turn(index, goes.length)} d={path} />
      ))}
    </svg>
  );
}
