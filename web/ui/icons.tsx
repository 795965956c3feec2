import { type LucideIcon } from "lucide-react";
import { type ReactNode } from "react";

import styles from "./icons.module.css";

/** The ribs and the reflection of the glass look like five tally strokes. */
export function Logo({ size }: { size: number }): ReactNode {
  return (
    <svg viewBox="0 0 64 64" width={size} height={size} aria-hidden="true">
      <circle cx="32" cy="32" r="32" fill="#4a2c17" />
      <circle cx="32" cy="32" r="29" fill="#fbf1dd" />
      <circle cx="32" cy="32" r="26.6" fill="none" stroke="#d98e00" strokeWidth="1.2" />
      <path d="M39 27.5h4.5a5 5 0 0 1 5 5v7a5 5 0 0 1-5 5H39" fill="none" stroke="#2b1a10" strokeWidth="3.6" />
      <path d="M16.5 22h24v25.5a4 4 0 0 1-4 4h-16a4 4 0 0 1-4-4z" fill="#f5b11d" stroke="#2b1a10" strokeWidth="2.4" />
      <path
        d="M16.5 26.5a4.9 4.9 0 0 1-.9-9.6 6.4 6.4 0 0 1 9.4-4.6 6.2 6.2 0 0 1 9.3 1.2 5.7 5.7 0 0 1 7 4.6 4.7 4.7 0 0 1-.8 8.4c-3 .9-4.3-1.7-7-1.7s-3.6 3.6-6.6 3.6-3-3.1-5.7-3.1-2.4 1.5-4.7 1.2z"
        fill="#ffffff"
        stroke="#2b1a10"
        strokeWidth="2.4"
        strokeLinejoin="round"
      />
      <path
        d="M21.3 32v14.5M26.1 32v14.5M30.9 32v14.5M35.7 32v14.5M18.7 46 38.3 32.5"
        fill="none"
        stroke="#2b1a10"
        strokeWidth="2.3"
        strokeLinecap="round"
      />
    </svg>
  );
}

interface IconDiscProps {
  readonly icon: LucideIcon;
  readonly size?: number;
  readonly tone?: "plain" | "beer";
}

export function IconDisc({ icon: Icon, size = 22, tone = "plain" }: IconDiscProps): ReactNode {
  return (
    <span className={`touch-target ${styles["disc"]}`} data-tone={tone} aria-hidden="true">
      <Icon size={size} />
    </span>
  );
}

/** Needs a text beside it that says what is loading, because screen readers do not see it. */
export function Spinner({ size }: { size: number }): ReactNode {
  return (
    <svg className={styles["spinner"]} viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <circle className={styles["rim"]} cx="16" cy="16" r="13" />
      <circle className={styles["arc"]} cx="16" cy="16" r="13" pathLength="100" />
    </svg>
  );
}
