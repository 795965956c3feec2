import type { ReactNode } from "react";

import styles from "./wrapped-picture.module.css";

const papers = [
  ["#a5382c", "#7f2920"],
  ["#2c6b46", "#1f4f33"],
  ["#2f5f8f", "#23486d"],
  ["#8a4b7a", "#66365a"],
] as const;

/**
 * Draws a wrapped present in place of a picture that is a surprise. The day selects the color of
 * the paper.
 */
export function WrappedPicture({ day }: { day: number }): ReactNode {
  const [paper, shade] = papers[day % papers.length]!;
  return (
    <svg className={styles["wrapped"]} viewBox="0 0 100 100" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <rect width="100" height="100" fill={paper} />
      {stars.map(([x, y]) => (
        <path key={`${x} ${y}`} transform={`translate(${x} ${y})`} d={star} fill="#fff" fillOpacity=".22" />
      ))}
      <path d="M0 0H100V9Q50 15 0 9ZM0 100H100V91Q50 85 0 91Z" fill={shade} fillOpacity=".55" />
      <path d="M43 0H57V100H43ZM0 43H100V57H0Z" fill="#f5b11d" />
      <path d="M43 0H45.5V100H43ZM54.5 0H57V100H54.5ZM0 43H100V45.5H0ZM0 54.5H100V57H0Z" fill="#c98600" />
      <g stroke="#8a5a06" strokeWidth="1.2" strokeLinejoin="round">
        <path d="M50 51 36 78 41 77 44 82 53 53ZM50 51 64 78 59 77 56 82 47 53Z" fill="#e09f10" />
        <path d="M50 50C40 30 22 24 17 33S30 56 50 50ZM50 50C60 30 78 24 83 33S70 56 50 50Z" fill="#ffcb4f" />
        <path d="M50 50C43 40 30 35 26 39S36 51 50 50ZM50 50C57 40 70 35 74 39S64 51 50 50Z" fill="#d98e00" />
        <rect x="44" y="43.5" width="12" height="12" rx="4" fill="#ffcb4f" />
      </g>
    </svg>
  );
}

const star = "M0-4 1.1-1.2 4 0 1.1 1.2 0 4-1.1 1.2-4 0-1.1-1.2Z";

const stars = [
  ...[
    [14, 20],
    [31, 12],
    [72, 14],
    [88, 25],
    [12, 70],
    [28, 88],
    [70, 70],
    [86, 84],
    [24, 68],
    [90, 66],
  ],
] as const;
