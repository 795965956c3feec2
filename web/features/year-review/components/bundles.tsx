import type { ReactNode } from "react";

import { strokePaths } from "#web/ui/tally.tsx";

import styles from "./drawings.module.css";

/** As many strokes as fit on the slate; the number stands below. */
const maxStrokes = 1000;
const shape = { width: 44, height: 40 };

/** The beers of a year as strokes on the slate, the more the smaller. */
export function Bundles({ count }: { count: number }): ReactNode {
  const strokes = Math.min(count, maxStrokes);
  const bundles = Math.ceil(strokes / 5);
  const perRow = Math.ceil(Math.sqrt(bundles * 1.2));
  const rows = Math.ceil(bundles / perRow);
  return (
    <svg
      className={styles["bundles"]}
      viewBox={`0 0 ${perRow * shape.width} ${rows * shape.height}`}
      aria-hidden="true"
      focusable="false"
    >
      <path d={strokePaths(strokes, 0, perRow).join("")} />
    </svg>
  );
}
