import type { ReactNode } from "react";

import { strokePaths } from "#web/ui/beer-mat.tsx";
import { weekdays } from "#web/ui/german.ts";
import reveal from "#web/ui/reveal.module.css";
import { turn } from "#web/ui/story-card.tsx";
import styles from "./year-review-drawings.module.css";
import { months } from "./year-review-rules.ts";

/** The exact number is below the drawing. */
const maxStrokes = 1000;
/** Steps in which the strokes appear. */
const maxGoes = 40;

/** Draws a stroke per beer of a year. */
export function Bundles({ count }: { count: number }): ReactNode {
  const bundles = Math.ceil(Math.min(count, maxStrokes) / 5);
  const perRow = Math.ceil(Math.sqrt(bundles * 1.2));
  const strokes = strokePaths(Math.min(count, maxStrokes), 0, perRow);
  const perGo = Math.ceil(strokes.length / maxGoes);
  const goes = Array.from({ length: Math.ceil(strokes.length / perGo) }, (_, index) =>
    strokes.slice(index * perGo, (index + 1) * perGo).join(""),
  );
  // Fewer than five strokes are centered.
  const width = Math.min(perRow * 44, 10 + count * 8);
  return (
    <svg className={styles["bundles"]} viewBox={`0 0 ${width} ${Math.ceil(bundles / perRow) * 40}`} aria-hidden="true">
      {goes.map((path, index) => (
        <path key={path} className={reveal["fade-in"]} style={turn(index, goes.length)} d={path} />
      ))}
    </svg>
  );
}

const maxMats = 38;
const maxCrates = 12;

export function Tower({ mats }: { mats: number }): ReactNode {
  const count = Math.min(mats, maxMats);
  const lean = (index: number): number => ((Math.imul(index + 3, 2_654_435_761) >>> 16) % 90) / 10 - 4.5;
  return (
    <StackDrawing height={count * 6 + 12}>
      {Array.from({ length: count }, (_, index) => (
        <rect
          key={index}
          className={reveal["slide-in"]}
          style={turn(index, count)}
          x={lean(index) - 58}
          y={-index * 6 - 6}
          width="116"
          height="6"
          rx="2.6"
          data-odd={index % 2 || undefined}
        />
      ))}
      <g className={reveal["slide-in"]} style={turn(1, 2)}>
        <ellipse cx={lean(count - 1)} cy={-count * 6} rx="58" ry="9" />
        <ellipse className={styles["ring"]} cx={lean(count - 1)} cy={-count * 6} rx="50" ry="6.6" />
      </g>
    </StackDrawing>
  );
}

export function Crates({ crates }: { crates: number }): ReactNode {
  const count = Math.max(1, Math.min(crates, maxCrates));
  return (
    <StackDrawing height={Math.ceil(count / 3) * 50 + 12}>
      {Array.from({ length: count }, (_, index) => {
        const inRow = Math.min(3, count - Math.floor(index / 3) * 3);
        const x = ((index % 3) - (inRow - 1) / 2) * 53;
        return (
          <g key={index} className={reveal["slide-in"]} style={turn(index, count)}>
            <g className={styles["crate"]} transform={`translate(${x} ${-Math.floor(index / 3) * 50})`}>
              {index + 3 >= count && (
                <path
                  d="M-18 -44v-12M-6 -44v-12M6 -44v-12M18 -44v-12"
                  stroke="#6b3f14"
                  strokeWidth="6"
                  strokeLinecap="round"
                />
              )}
              <rect x="-25" y="-48" width="50" height="48" rx="4" />
              <rect x="-11" y="-40" width="22" height="7" rx="3.5" fill="#5c3a06" />
              <path d="M-25 -26h50M-25 -13h50" strokeWidth="1.5" opacity="0.55" />
            </g>
          </g>
        );
      })}
    </StackDrawing>
  );
}

function StackDrawing({ height, children }: { height: number; children: ReactNode }): ReactNode {
  return (
    <svg
      className={styles["stack"]}
      viewBox={`-80 ${-height} 160 ${height}`}
      preserveAspectRatio="xMidYMax"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export function RoundTable({ month, weekday }: { month: number; weekday: number }): ReactNode {
  return (
    <svg className={styles["table"]} viewBox="-160 -160 320 386" aria-hidden="true">
      <circle r="154" fill="#8f5b2e" stroke="#3a2010" strokeWidth="6" />
      <path
        d="M-92 -123V123M-31 -151V151M31 -151V151M92 -123V123"
        stroke="#2b1406"
        strokeOpacity="0.35"
        strokeWidth="2"
      />
      <circle r="148" fill="none" stroke="#ffe1aa" strokeOpacity="0.3" strokeWidth="1.5" />
      {months.map((name, index) => {
        const angle = ((index - 3) / 12) * 2 * Math.PI;
        return (
          <Mat key={name} x={114 * Math.cos(angle)} y={114 * Math.sin(angle)} isTaken={index + 1 === month}>
            {name.slice(0, 3)}
          </Mat>
        );
      })}
      <g fill="#e9a311" stroke="#3a2010" strokeWidth="5">
        <path d="M38 -14h14a10 10 0 0 1 10 10v8a10 10 0 0 1 -10 10h-14" fill="none" />
        <circle r="40" />
        <circle r="33" fill="#fff7e3" stroke="none" />
        <path
          d="M-12 -10h0M9 -15h0M16 4h0M-4 8h0M-17 7h0M4 19h0"
          stroke="#ecd9ab"
          strokeWidth="9"
          strokeLinecap="round"
        />
      </g>
      {weekdays.map((name, index) => (
        <Mat key={name} x={(index - 3) * 46} y={198} isTaken={index === weekday}>
          {name.slice(0, 2)}
        </Mat>
      ))}
    </svg>
  );
}

function Mat({ x, y, isTaken, children }: { x: number; y: number; isTaken: boolean; children: string }): ReactNode {
  return (
    <g transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`} data-taken={isTaken || undefined}>
      <g className={isTaken ? reveal["pop"] : undefined}>
        <circle className={styles["mat"]} r={isTaken ? 25 : 19.5} />
        <circle className={styles["ring"]} r={isTaken ? 21.5 : 16.8} />
        <text y="5.5">{children}</text>
      </g>
    </g>
  );
}

/** Draws a row per month, a dot per day, and a stroke per day with a beer. */
export function DaySlate({ year, days }: { year: number; days: readonly string[] }): ReactNode {
  return (
    <svg className={styles["days"]} viewBox="0 0 346 208" aria-hidden="true">
      {months.map((name, month) => {
        const y = 10 + month * 17;
        const visits = days.filter((day) => Number(day.slice(5, 7)) === month + 1).map((day) => Number(day.slice(8)));
        const dots = Array.from({ length: new Date(Date.UTC(year, month + 1, 0)).getUTCDate() }, (_, day) => day + 1);
        return (
          <g key={name} className={reveal["fade-in"]} style={turn(month, months.length)}>
            <text x="6" y={y + 4}>
              {name.slice(0, 1)}
            </text>
            <path
              d={dots.map((day) => `M${26 + day * 10} ${y}h0`).join("")}
              stroke="#f4f0e2"
              strokeOpacity="0.4"
              strokeWidth="2.4"
            />
            <path className={styles["visits"]} d={visits.map((day) => visitPath(day, y)).join("")} />
          </g>
        );
      })}
    </svg>
  );
}

/** Draws strokes that are irregular, as if by hand. */
function visitPath(day: number, y: number): string {
  const x = 26 + day * 10;
  const slant = (((day * 7) % 5) - 1) * 0.6 + 0.5;
  return `M${x + slant} ${y - 6}L${x - slant} ${y + 6}`;
}

/** More slices would be too thin: then the rest is uncut. */
const maxSlices = 24;

/** Colors the member's slice green. */
export function Slices({ slices }: { slices: number }): ReactNode {
  const part = 1 / Math.min(slices, maxSlices);
  const isCut = slices <= maxSlices;
  const rest = isCut ? Array.from({ length: slices - 1 }, (_, index) => (index + 0.5) * part) : [part / 2];
  const width = isCut ? part : 1 - part;
  return (
    <svg className={styles["slices"]} viewBox="-130 -150 260 280" aria-hidden="true">
      {rest.map((from) => (
        <Slice key={from} from={from} to={from + width} />
      ))}
      <g transform={slices > 1 ? "translate(0 -26)" : undefined}>
        <g className={`${styles["mine"]} ${reveal["pull"]}`}>
          <Slice from={-part / 2} to={part / 2} />
        </g>
      </g>
    </svg>
  );
}

/** Fractions of a turn, clockwise from the top. */
function Slice({ from, to }: { from: number; to: number }): ReactNode {
  return (
    <>
      <path className={styles["mat"]} d={`${arc(from, to, 114)}L0 0Z`} />
      <path className={styles["ring"]} d={arc(from, to, 104)} />
      <path className={styles["ring"]} d={arc(from, to, 99)} />
    </>
  );
}

function arc(from: number, to: number, radius: number): string {
  // SVG draws no arc that ends at its start.
  const end = Math.min(to, from + 0.9999);
  return `M${pointAt(from, radius)}A${radius} ${radius} 0 ${end - from > 0.5 ? 1 : 0} 1 ${pointAt(end, radius)}`;
}

function pointAt(fraction: number, radius: number): string {
  const angle = (fraction - 0.25) * 2 * Math.PI;
  return `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
}

export function Mugs(): ReactNode {
  return (
    <svg className={styles["mugs"]} viewBox="-160 -140 320 260" aria-hidden="true">
      <g className={reveal["pull"]} data-side="left">
        <Mug />
      </g>
      <g className={reveal["pull"]} data-side="right">
        <g transform="scale(-1 1)">
          <Mug />
        </g>
      </g>
      {drops.map(([x, y, radius], index) => (
        <circle
          key={x}
          className={reveal["pop"]}
          style={turn(index + drops.length, 2 * drops.length)}
          cx={x}
          cy={y}
          r={radius}
          fill="#fff7e3"
        />
      ))}
    </svg>
  );
}

function Mug(): ReactNode {
  return (
    <g transform="translate(-68 20) rotate(14)" stroke="#3a2010" strokeWidth="4" strokeLinejoin="round">
      <path d="M-46 -30h-14a22 22 0 0 0-22 22v26a22 22 0 0 0 22 22h14" fill="none" stroke="#e9a311" strokeWidth="13" />
      <path d="M-48 -54H48V64a14 14 0 0 1-14 14H-34a14 14 0 0 1-14-14Z" fill="#e9a311" />
      <path d="M-26 -12V46M-9 -12V46M9 -12V46M26 -12V46M-34 42 34 -8" strokeWidth="5" strokeLinecap="round" />
      <path
        d="M-48 -40a17 17 0 0 1-6 -33 22 22 0 0 1 32 -16 24 24 0 0 1 36 -3 21 21 0 0 1 34 14 17 17 0 0 1 2 36c-10 4-16-5-25-5s-13 13-24 13-12-11-21-11-10 7-28 5Z"
        fill="#fff7e3"
      />
    </g>
  );
}

const drops = [
  [-4, -92, 7],
  [18, -112, 4.5],
  [-28, -116, 5],
  [40, -96, 3.5],
  [4, -130, 3.5],
  [-46, -98, 3],
] as const;
