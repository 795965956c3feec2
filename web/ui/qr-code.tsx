import type { ReactNode } from "react";
import { encode } from "uqr";

import styles from "./qr-code.module.css";

/** Width of the white border in modules (squares), which cameras need. */
const quietZone = 4;

/** Always dark on white: many readers cannot read light codes. */
export function QrCode({ text, label }: { text: string; label: string }): ReactNode {
  const { data, size } = encode(text, { ecc: "M", border: quietZone });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return (
    <svg
      className={styles["code"]}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}
