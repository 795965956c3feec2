import type { ReactNode } from "react";

import { scallops } from "#web/ui/beer-mat.tsx";
import { strokePaths } from "#web/ui/tally.tsx";

const pennants = ["#f5b11d", "#2f7d3b", "#b3472b", "#2f6ba8", "#f5b11d", "#2f7d3b", "#b3472b", "#2f6ba8", "#f5b11d"];

/**
 * Draws a table with pennants above it, a calendar door, a beer mat with tally strokes, and a TV
 * that shows a pairing code.
 */
export function PartiesDoorsMatsPicture(): ReactNode {
  return (
    <svg viewBox="0 0 360 168" aria-hidden="true">
      <rect width="360" height="168" fill="#2a1a0f" />
      <circle cx="180" cy="40" r="150" fill="#f5b11d" opacity=".1" />
      <rect y="126" width="360" height="42" fill="#63391d" />
      <path d="M0 127H360M0 146H360" stroke="#000" strokeOpacity=".25" strokeWidth="2" />
      <path d="M-4 10Q180 52 364 10" fill="none" stroke="#fbf1dd" strokeOpacity=".8" strokeWidth="1.5" />
      {pennants.map((color, index) => {
        const x = 20 + index * 40;
        const y = 10 + 21 * (1 - ((x - 180) / 184) ** 2);
        return <path key={x} d={`M${x - 11} ${y - 1}L${x + 11} ${y - 1}L${x} ${y + 20}Z`} fill={color} />;
      })}
      <Door />
      <Mat />
      <Tv />
    </svg>
  );
}

function Door(): ReactNode {
  return (
    <g transform="translate(30 56)">
      <rect width="70" height="78" rx="5" fill="#4a2c17" />
      <rect x="6" y="6" width="58" height="66" rx="2" fill="#ffe9b0" />
      <path d="M35 16l5 12 13 1-10 8 4 13-12-7-12 7 4-13-10-8 13-1z" fill="#f5b11d" />
      <path d="M6 6L-14 14V78L6 72Z" fill="#2c6b46" />
      <path d="M64 6L84 14V78L64 72Z" fill="#2c6b46" />
      <path d="M-4 24V62M74 24V62" stroke="#000" strokeOpacity=".3" strokeWidth="2" />
      <path d="M-2 2Q8-8 20-3T44-5T72 2V5Q58 1 46 6T20 5T-2 5Z" fill="#f6fbff" />
    </g>
  );
}

function Mat(): ReactNode {
  return (
    <g transform="translate(180 98)">
      <ellipse cy="48" rx="54" ry="8" fill="#000" opacity=".3" />
      <path d={scallops} transform="scale(.29)" fill="#fffaf0" stroke="#9a7b51" strokeWidth="4" />
      <circle r="49" fill="none" stroke="#a96b00" strokeWidth="1.5" />
      <g transform="translate(-40 -22) scale(.9)" fill="none" stroke="#2b1a10" strokeWidth="3.4" strokeLinecap="round">
        {strokePaths(8, 0).map((path) => (
          <path key={path} d={path} />
        ))}
      </g>
      <path d="M-24 28H24" stroke="#d98e00" strokeWidth="2" />
    </g>
  );
}

function Tv(): ReactNode {
  return (
    <g transform="translate(256 62)">
      <path d="M36 60H52L58 74H30Z" fill="#120b07" />
      <rect width="88" height="62" rx="6" fill="#120b07" />
      <rect x="5" y="5" width="78" height="52" rx="3" fill="#3a2010" />
      {[0, 1, 2, 3, 4, 5].map((place) => (
        <rect key={place} x={10 + place * 11.6} y="22" width="9.6" height="18" rx="2" fill="#fbf1dd" />
      ))}
      <path
        d="M13 27v8m3-8-3 4 3 4M24.5 27h4l-3 8M35.5 27v8m4-8-3 4 3 4M48 27v8m0-8h4m-4 4h3M60 27h3v4h-3v4h3M71 27l3 8m0-8-3 8"
        fill="none"
        stroke="#2b1a10"
        strokeWidth="1.5"
      />
    </g>
  );
}
