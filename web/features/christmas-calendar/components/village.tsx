import type { ReactNode } from "react";

import styles from "./village.module.css";

/**
 * Draws the landscape at the bottom of the page: hills, firs and a lit tavern. `isWaiting` is
 * `true` while the height of the page is unknown.
 */
export function WinterVillage({ isWaiting }: { isWaiting: boolean }): ReactNode {
  return (
    <div className={`covering ${styles["view"]}`} data-waiting={isWaiting} aria-hidden="true">
      <div className={styles["moon"]} />
      <svg className={styles["land"]} viewBox="0 0 1200 300" preserveAspectRatio="xMaxYMax slice">
        <path d="M0 140Q180 40 380 120T760 96T1200 130V300H0Z" fill="var(--far-hill)" />
        {firs.map(([x, y, size]) => (
          <path key={x} transform={`translate(${x} ${y}) scale(${size})`} d={fir} fill="var(--fir)" />
        ))}
        <g transform="translate(850 96)">
          <path d="M108 30V-22h26v40" fill="#3a2417" />
          <path d="M20 40h180v92H20Z" fill="#6b4423" />
          <path d="M4 52 110-18 216 52Z" fill="#f2f8ff" />
          <path d="M4 52 110-18 216 52l-10 8L110 0 14 60Z" fill="#dceaf8" />
          <path d="M36 78h34v34H36ZM150 78h34v34h-34Z" fill="#ffd97a" />
          <path d="M53 78v34M36 95h34M167 78v34M150 95h34" stroke="#6b4423" strokeWidth="4" />
          <path d="M92 132V86q18-16 36 0v46Z" fill="#3a2417" />
          <path d="M84 64h52v16H84Z" fill="#f5b11d" />
          <path d="M110 36c8 8 14 16 0 26-14-10-8-18 0-26Z" fill="#ffd97a" />
        </g>
        <path d="M0 220Q260 150 560 214T1200 196V300H0Z" fill="var(--snow)" />
        <path d="M0 262Q340 206 700 258T1200 244V300H0Z" fill="var(--near-snow)" />
      </svg>
    </div>
  );
}

const fir = "M0-70 18-38H10L30-8H18L42 28H6V42H-6V28H-42L-18-8H-30L-10-38H-18Z";

const firs = [
  [60, 176, 1.1],
  [128, 190, 0.8],
  [250, 168, 0.95],
  [420, 180, 0.7],
  [640, 176, 0.9],
  [720, 186, 1.15],
  [800, 190, 0.8],
  [1090, 178, 1.2],
  [1160, 192, 0.9],
] as const;
