// Objects in the calendar pictures, as SVG text. The origin of each object's coordinates is its
// centre.

/** Places an object at `x`, `y`, scaled and rotated. `rotation` is in degrees. */
export function at(x: number, y: number, scale: number, prop: string, rotation = 0): string {
  return `<g transform="translate(${x} ${y}) rotate(${rotation}) scale(${scale})">${prop}</g>`;
}

export const ink = 'stroke="#2b1a10" stroke-width="9" stroke-linejoin="round" stroke-linecap="round"';

type Mood = "happy" | "wink" | "sleepy" | "shocked" | "none";

export function face(mood: Mood, color = "#2b1a10"): string {
  if (mood === "none") return "";
  const stroke = `fill="none" stroke="${color}" stroke-width="9" stroke-linecap="round"`;
  const dot = (x: number, size = 10) => `<circle cx="${x}" cy="0" r="${size}" fill="${color}"/>`;
  const lid = (x: number) => `<path d="M${x - 16} 0q16 14 32 0" ${stroke}/>`;
  const cheeks =
    '<g fill="#e2603a" opacity=".45"><circle cx="-66" cy="30" r="18"/><circle cx="66" cy="30" r="18"/></g>';
  const eyes = {
    happy: dot(-38) + dot(38),
    wink: dot(-38) + lid(38),
    sleepy: lid(-38) + lid(38),
    shocked: dot(-38, 14) + dot(38, 14),
  }[mood];
  const mouth =
    mood === "shocked"
      ? `<ellipse cx="0" cy="52" rx="17" ry="22" fill="${color}"/>`
      : mood === "sleepy"
        ? `<path d="M-16 44q16 12 32 0" ${stroke}/>`
        : `<path d="M-30 34q30 40 60 0" ${stroke}/>`;
  return eyes + mouth + cheeks;
}

export const santaHat = `<g ${ink}>
  <path d="M-98 18C-86-92 10-132 84-104c44 18 66 62 78 112-34-22-58-40-84-40 22 16 26 32 22 48z" fill="#c8342b"/>
  <rect x="-116" y="0" width="232" height="52" rx="26" fill="#fffaf0"/><circle cx="164" cy="16" r="32" fill="#fffaf0"/></g>`;

interface MugLook {
  mood?: Mood;
  hat?: boolean;
  scarf?: string;
  fill?: number;
}

/**
 * Draws a glass of beer, 260 units wide and 340 units high. `fill`: beer level from 0 (empty) to 1
 * (full).
 */
export function mug({ mood = "happy", hat = false, scarf, fill = 1 }: MugLook = {}): string {
  const top = 150 - 270 * fill;
  const foam = `<path d="M-128 ${top + 26}c-26-52 16-82 48-64 8-46 78-52 92-12 34-34 84-8 78 26 40-4 52 36 30 58-12 20-34 6-40 10 2 40-34 44-40 6-20 18-44 16-52-4-16 26-50 20-54 0-24 12-54 8-62-20z" fill="#fff7e3"/>`;
  const bubbles = [
    [-70, 110],
    [-30, 60],
    [62, 120],
    [80, 50],
    [16, 128],
    [-86, 20],
  ]
    .filter(([, y]) => y! > top + 30)
    .map(([x, y], index) => `<circle cx="${x}" cy="${y}" r="${6 + (index % 3) * 2}" fill="#fff7e3" opacity=".55"/>`)
    .join("");
  return `<g ${ink}>
    <path d="M118-70h52c44 0 62 28 62 66v40c0 40-22 68-62 68h-52v-44h40c16 0 24-10 24-26v-34c0-18-8-28-24-28h-40z" fill="#f4e3bd"/>
    <path d="M-128-120h256l-12 270c-2 24-14 32-36 32H-80c-22 0-34-8-36-32z" fill="#fbeecb"/>
    <path d="M${-116 - (150 - top) * 0.045} ${top}h${232 + (150 - top) * 0.09}L116 148c-2 22-14 30-34 30h-164c-20 0-32-8-34-30z" fill="#f5b11d" stroke="none"/>
    <path d="M-84 ${top + 40}L-78 140" stroke="#ffd97a" stroke-width="20" fill="none"/>
    ${bubbles.replaceAll("<circle", '<circle stroke="none"')}
    <path d="M-128-120h256l-12 270c-2 24-14 32-36 32H-80c-22 0-34-8-36-32z" fill="none"/>${foam}</g>
    ${at(4, 46 + (1 - fill) * 90, fill < 1 ? 0.8 : 1, face(mood))}
    ${scarf ? `<g ${ink}><path d="M-128 118q128 44 256-2l4 44q-132 48-264 4z" fill="${scarf}"/><path d="M60 146l58-10 16 116h-58z" fill="${scarf}"/><path d="M84 250v26m22-26v26m22-28v26" fill="none"/></g>` : ""}
    ${hat ? at(-4, top - 30, 0.95, santaHat, -6) : ""}`;
}

export function bottle(color = "#5a3413", label = "#f5b11d"): string {
  return `<g ${ink}><path d="M-28-210h56v70c0 40 44 56 44 110v190c0 22-12 32-32 32H-40c-20 0-32-10-32-32V-30c0-54 44-70 44-110z" fill="${color}"/>
    <rect x="-34" y="-228" width="68" height="34" rx="8" fill="#fbeecb"/><rect x="-72" y="0" width="144" height="110" fill="${label}"/></g>
    <path d="M-30 40h60m-60 30h60" stroke="#2b1a10" stroke-width="9" stroke-linecap="round"/>
    <path d="M-48-20q4-44 26-62" fill="none" stroke="#fff" opacity=".5" stroke-width="10" stroke-linecap="round"/>`;
}

export function tree(trimming = ""): string {
  return `<g ${ink}><path d="M-26 200h52v70h-52z" fill="#63391d"/>
    <path d="M0-300C40-230 80-200 118-180c-20 6-36 4-52 0C104-110 140-70 184-48c-26 8-50 8-72 2 38 80 86 124 130 150-80 116-404 116-484 0 44-26 92-70 130-150-22 6-46 6-72-2 44-22 80-62 118-132-16 4-32 6-52 0C-80-200-40-230 0-300z" fill="#2f6b3b"/></g>
    <path d="M-60-60q70 44 150-10M-110 90q120 66 240-10" fill="none" stroke="#5aa063" stroke-width="10" stroke-linecap="round"/>${trimming}`;
}

export function star(size: number, color = "#ffcb4f"): string {
  const points = Array.from({ length: 10 }, (_, index) => {
    const radius = index % 2 ? size * 0.45 : size;
    const angle = (index * Math.PI) / 5 - Math.PI / 2;
    return `${(radius * Math.cos(angle)).toFixed(1)},${(radius * Math.sin(angle)).toFixed(1)}`;
  });
  return `<polygon points="${points.join(" ")}" fill="${color}" ${ink}/>`;
}

export const pretzel = `<g fill="none" stroke-linecap="round" stroke-linejoin="round">
  <path d="M-70 120C40 60 120-20 108-86 96-150 24-150 0-80-24-150-96-150-108-86-120-20-40 60 70 120" stroke="#2b1a10" stroke-width="66"/>
  <path d="M-70 120C40 60 120-20 108-86 96-150 24-150 0-80-24-150-96-150-108-86-120-20-40 60 70 120" stroke="#a9601f" stroke-width="48"/>
  <path d="M-96-60q-8-50 30-62M52-122q50 4 46 56" stroke="#d08a3c" stroke-width="12"/></g>
  <g fill="#fffaf0"><circle cx="-84" cy="-30" r="7"/><circle cx="84" cy="-26" r="7"/><circle cx="-20" cy="40" r="7"/><circle cx="34" cy="58" r="7"/><circle cx="0" cy="-72" r="7"/></g>`;

export function gift(color: string, ribbon: string): string {
  return `<g ${ink}><rect x="-110" y="-70" width="220" height="190" rx="10" fill="${color}"/><rect x="-126" y="-110" width="252" height="60" rx="10" fill="${color}"/>
    <path d="M-24-110h48v230h-48z" fill="${ribbon}"/><path d="M0-110c-70-90-130-40-90-4 20 14 60 8 90 4 30 4 70 10 90-4 40-36-20-86-90 4z" fill="${ribbon}"/></g>`;
}

export const snowman = `<g ${ink}><circle cx="0" cy="150" r="150" fill="#f7fbff"/><circle cx="0" cy="-70" r="106" fill="#fff"/>
  <path d="M-120-140h240v-22h-50v-110h-140v110h-50z" fill="#3a2a4a"/><path d="M-70-190h140v28h-140z" fill="#c8342b"/>
  <path d="M-130 90l-110-70m30 18l-20-34m20 34l-40 4M130 90l90-100" fill="none" stroke="#63391d" stroke-width="16"/>
  <path d="M0-66l96 24-96 14z" fill="#f08a24"/></g><g fill="#2b1a10"><circle cx="-36" cy="-96" r="12"/><circle cx="36" cy="-96" r="12"/><circle cx="0" cy="90" r="13"/><circle cx="0" cy="150" r="13"/><circle cx="0" cy="210" r="13"/></g>
  <path d="M-44-18q44 34 76 4" fill="none" stroke="#2b1a10" stroke-width="10" stroke-linecap="round"/>`;

export const reindeer = `<g ${ink}><path d="M-70-130c-30-40-60-60-110-60m66 36q-14-50 4-86M70-130c30-40 60-60 110-60m-66 36q14-50-4-86" fill="none" stroke="#63391d" stroke-width="24"/>
  <path d="M-110-80q-90-30-120 30 60 40 124 6zM110-80q90-30 120 30-60 40-124 6z" fill="#8a5330"/>
  <path d="M-116-60c0-70 50-110 116-110s116 40 116 110c0 60-24 110-30 170-4 60-40 90-86 90s-82-30-86-90c-6-60-30-110-30-170z" fill="#a4683f"/>
  <ellipse cx="0" cy="130" rx="86" ry="74" fill="#c99469"/><circle cx="0" cy="96" r="46" fill="#d9322a"/></g><circle cx="-14" cy="82" r="12" fill="#fff" opacity=".8"/>
  <g fill="#2b1a10"><circle cx="-48" cy="-30" r="15"/><circle cx="48" cy="-30" r="15"/></g><path d="M-34 160q34 26 68 0" fill="none" stroke="#2b1a10" stroke-width="9" stroke-linecap="round"/>`;

export const cat = `<g ${ink}><path d="M150 190c110 20 130-110 70-130" fill="none" stroke="#2b1a10" stroke-width="52"/><path d="M150 190c110 20 130-110 70-130" fill="none" stroke="#e08a3c" stroke-width="34"/>
  <path d="M-150 230c-10-190 40-280 150-280s160 90 150 280z" fill="#e08a3c"/><path d="M-140-180l20-110 90 70h60l90-70 20 110c20 40 20 90 0 120-40 60-240 60-280 0-20-30-20-80 0-120z" fill="#e9974a"/>
  <path d="M-60 230v-70m120 70v-70" fill="none"/><path d="M-30-205v40m30-46v46m30-40v40" fill="none" stroke="#b3601f"/></g>
  <path d="M-190-90h70m-70 34l70-10M190-90h-70m70 34l-70-10" stroke="#2b1a10" stroke-width="6" stroke-linecap="round"/><path d="M-14-92h28l-14 18z" fill="#c8342b"/>`;

export const penguin = `<g ${ink}><path d="M-60 210l-40 30h90zM60 210l40 30h-90z" fill="#f08a24"/><path d="M-130 20c0-150 50-230 130-230s130 80 130 230c0 120-50 200-130 200s-130-80-130-200z" fill="#29394f"/>
  <path d="M-84 60c0-90 20-150 84-150s84 60 84 150c0 90-30 150-84 150s-84-60-84-150z" fill="#fffaf0"/><path d="M-126-10q-60 60-50 140 40-20 56-60M126-10q60 60 50 140-40-20-56-60" fill="#29394f"/><path d="M-26-96h52l-26 40z" fill="#f08a24"/></g>
  <path d="M-58-126q16 12 32 0m52 0q-16 12-32 0" transform="translate(0 6)" fill="none" stroke="#fffaf0" stroke-width="9" stroke-linecap="round"/>`;

export const barrel = `<g ${ink}><path d="M-190-110h380q50 110 0 220h-380q-50-110 0-220z" fill="#8a5330"/><path d="M-130-110q-30 110 0 220m90-220v220m90-220v220m80-220q30 110 0 220" fill="none"/>
  <path d="M-170-110h44q-34 110 0 220h-44M126-110h44q34 110 0 220h-44" fill="#b9b2a6"/></g>`;

export const gingerbread = `<g ${ink}><path d="M0-250c64 0 100 46 96 100-2 30-16 48-30 62 60 4 140-20 156 30 14 50-60 70-128 78 4 50 60 110 50 170-10 50-90 50-110 0-10-30-20-60-34-60s-24 30-34 60c-20 50-100 50-110 0-10-60 46-120 50-170-68-8-142-28-128-78 16-50 96-26 156-30-14-14-28-32-30-62-4-54 32-100 96-100z" fill="#a9601f"/></g>
  <g fill="none" stroke="#fffaf0" stroke-width="12" stroke-linecap="round"><path d="M-180-40q16 20 10 44M180-40q-16 20-10 44M-110 206q26-22 56-6M110 206q-26-22-56-6"/></g>
  <g fill="#c8342b" stroke="#fffaf0" stroke-width="6"><circle cx="0" cy="-20" r="18"/><circle cx="0" cy="50" r="18"/></g>`;

export const flame = `<path d="M0-70c34 40 40 60 22 84-12 14-32 14-44 0-18-24-12-44 22-84z" fill="#ffb43c" ${ink}/>`;
export const moon = (mood: Parameters<typeof face>[0]) =>
  `<circle r="210" fill="#ffe9a8" ${ink}/><g fill="#f0cf7c"><circle cx="-110" cy="-90" r="34"/><circle cx="120" cy="90" r="44"/><circle cx="90" cy="-120" r="20"/></g>${at(0, -10, 1.5, face(mood))}`;
export const strokes = (x: number, y: number) =>
  `<path d="M${x} ${y}v110m36-110v110m36-110v110m36-110v110M${x - 22} ${y + 92}l156-66" fill="none" stroke="#4a2c17" stroke-width="13" stroke-linecap="round"/>`;
export const bubble = (x: number, y: number, width: number, text: string, color: string) =>
  `<rect x="${x}" y="${y}" width="${width}" height="100" rx="34" fill="${color}" ${ink}/><text x="${x + 36}" y="${y + 66}" font-family="DejaVu Sans" font-weight="bold" font-size="44" fill="#2b1a10">${text}</text>`;
export const bulbs = ["#e2463a", "#f5b11d", "#5cb86a", "#6aa5e0"];
