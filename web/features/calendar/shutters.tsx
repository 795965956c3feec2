import type { ReactNode } from "react";

export function Shutters({ snow, leaf }: { snow: number; leaf: string | undefined }): ReactNode {
  return (
    <svg viewBox="0 0 100 100" aria-hidden="true">
      <rect width="100" height="100" rx="5" fill="var(--frame)" />
      <rect x="5" y="5" width="90" height="91" rx="2" fill="var(--gap)" />
      <g className={leaf}>
        <Leaf />
      </g>
      <g transform="translate(100 0) scale(-1 1)">
        <g className={leaf}>
          <Leaf />
        </g>
      </g>
      <path d={caps[snow % caps.length]} fill="#f6fbff" />
    </svg>
  );
}

/** Its hinges are at x = 6. */
function Leaf(): ReactNode {
  return (
    <>
      <rect x="6" y="6" width="43" height="89" rx="1.5" fill="currentColor" />
      <path d="M20.5 6V95M35 6V95" stroke="#000" strokeOpacity=".28" strokeWidth="1" />
      <path d="M7 7V94M21.5 7V94M36 7V94" stroke="#fff" strokeOpacity=".14" strokeWidth=".8" />
      <path d="M6 22H49M6 83H49" stroke="#000" strokeOpacity=".26" strokeWidth="7" />
      <path d="M6 19H49M6 80H49" stroke="#fff" strokeOpacity=".16" strokeWidth="1" />
      <path d="M6 19V25M6 80V86" stroke="#241812" strokeWidth="5" />
      <path transform="translate(17 52)" d={heart} fill="var(--gap)" stroke="#000" strokeOpacity=".35" />
    </>
  );
}

const heart = "M0 5.2C-4-0-6.6-1.8-5.6-4.4-4.8-6.6-1.4-6.6 0-3.9 1.4-6.6 4.8-6.6 5.6-4.4 6.6-1.8 4-0 0 5.2Z";

/** Different on neighboring doors. */
const caps = [
  "M3 6C-4 7-6-2 2-4 14-7 24-3 36-5S60-7 74-4s20-2 27 0c6 2 5 9-1 9-3 7-10 5-13 1-6 5-12 3-15-1-8 7-17 4-21 0-6 4-11 3-15 0-5 5-12 4-14 0-4 3-16 4-19-3Z",
  "M3 5C-4 8-7-1 1-4 12-7 24-4 38-5s30-2 44-1 17 0 20 2c5 4 2 9-3 8-3 8-12 8-15 2-7 4-13 3-18-1-5 6-14 6-18 1-6 4-14 3-18-1-4 6-15 4-27-1Z",
  "M4 5C-3 9-7 0 1-4 10-7 16-7 30-5s22 1 36-2 28 0 34 2c7 3 4 10-2 9-6 5-13 3-17-1-4 7-12 6-15 0-8 5-18 4-22-1-5 5-11 4-15 0-6 6-19 4-25-3Z",
];
