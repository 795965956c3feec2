import { createCurve, curvePath, curvePosition } from "#web/ui/area-curve.tsx";
import { splitCharacters } from "#web/ui/avatar.tsx";
import { scallops, wreath, strokePaths, splitTally } from "#web/ui/beer-mat.tsx";
import { formatNumber } from "#web/ui/german.ts";

export function createCanvas(width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  return canvas;
}

export function encodePng(canvas: HTMLCanvasElement): Promise<Blob> {
  return encode(canvas, "image/png");
}

export function encodeJpeg(canvas: HTMLCanvasElement): Promise<Blob> {
  return encode(canvas, "image/jpeg");
}

const quality = 0.9;

async function encode(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality));
  if (!blob) throw new Error("The picture could not be drawn.");
  return blob;
}

/** Font size in px below which a text is split or truncated. */
const smallestText = 40;

/**
 * Reduces the font size, then splits into two lines, then truncates. `measure` returns a width at a font size of 1 px.
 */
export function fitText(
  text: string,
  { size, widest }: { size: number; widest: number },
  measure: (text: string) => number,
): { size: number; lines: readonly string[] } {
  const largest = (lines: readonly string[]): number =>
    Math.floor(Math.min(size, ...lines.map((line) => widest / measure(line))));
  if (largest([text]) >= smallestText) return { size: largest([text]), lines: [text] };
  const lines = halves(text).map((line) => shorten(line, (shorter) => measure(shorter) * smallestText <= widest));
  return { size: largest(lines), lines };
}

/** Share of the font size above and below the baseline; emoji take the most. */
export const lineBox = { above: 0.95, below: 0.25 } as const;
/** Pixels between two texts of a stack. */
const gap = 20;

interface StackedLine<Text> {
  readonly text: Text;
  readonly line: string;
  readonly size: number;
  /** Height of the baseline in px. */
  readonly y: number;
}

/** Avoids overlaps, however many lines a text takes. `anchor` is the first or last baseline. */
export function stackTexts<Text extends { text: string; size: number; widest: number }>(
  texts: readonly Text[],
  anchor: { readonly first: number } | { readonly last: number },
  measure: (line: string, text: Text) => number,
): readonly StackedLine<Text>[] {
  const stack: StackedLine<Text>[] = [];
  for (const text of texts) {
    const { size, lines } = fitText(text.text, text, (line) => measure(line, text));
    for (const [index, line] of lines.entries()) {
      const above = stack.at(-1);
      const space = index === 0 ? gap : 0;
      const y = above ? above.y + above.size * lineBox.below + space + size * lineBox.above : 0;
      stack.push({ text, line, size, y });
    }
  }
  const offset = "first" in anchor ? anchor.first : anchor.last - (stack.at(-1)?.y ?? 0);
  return stack.map((line) => ({ ...line, y: line.y + offset }));
}

/** Splits into parts of similar length, between words if possible. */
function halves(text: string): string[] {
  const middle = text.length / 2;
  const spaces = [...text.matchAll(/ /g)].map(({ index }) => index);
  const nearest = spaces.toSorted((one, other) => Math.abs(one - middle) - Math.abs(other - middle))[0];
  if (nearest !== undefined) return [text.slice(0, nearest), text.slice(nearest + 1)];
  const characters = splitCharacters(text);
  const half = Math.ceil(characters.length / 2);
  return [`${characters.slice(0, half).join("")}-`, characters.slice(half).join("")];
}

function shorten(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) return text;
  const characters = splitCharacters(text);
  while (characters.length > 1 && !fits(`${characters.join("")}…`)) characters.pop();
  return `${characters.join("")}…`;
}

/** The portrait format of a phone, in px. */
export const pictureSize = { width: 1080, height: 1920 } as const;
export const pictureColors = {
  cream: "#fff4df",
  ink: "#2b1a10",
  soft: "#6a5038",
  beer: "#ffcb4f",
  name: "#2f7d3b",
} as const;
const middle = pictureSize.width / 2;
const { cream, ink, soft, beer } = pictureColors;

export type Pen = CanvasRenderingContext2D;

export async function startPicture(texts: string): Promise<{ canvas: HTMLCanvasElement; pen: Pen }> {
  // Offline, a fallback font is used.
  await document.fonts.load('800 76px "Bricolage Grotesque"', texts).catch(() => undefined);
  const canvas = createCanvas(pictureSize.width, pictureSize.height);
  const pen = canvas.getContext("2d")!;
  pen.textAlign = "center";
  pen.textBaseline = "alphabetic";
  drawBar(pen);
  return { canvas, pen };
}

interface MatTexts {
  /** `null` moves the number up. */
  readonly name: string | null;
  readonly total: number;
  /** `null` for "Biere". */
  readonly sum: string | null;
}

/** Draws a mat with tally strokes, centered at the height `y`. */
export function drawCountedMat(pen: Pen, y: number, { name, total, sum }: MatTexts): void {
  pen.save();
  pen.translate(middle, y);
  pen.rotate(-0.04);
  drawMat(pen);
  pen.translate(-middle, name === null ? -50 : 0);
  if (name !== null) {
    drawTexts(pen, [{ text: name, size: 64, weight: 750, color: pictureColors.name, widest: 520 }], { last: -200 });
  }
  drawTexts(pen, [{ text: formatNumber(total), size: 290, weight: 850, color: ink, widest: 640 }], { last: 70 });
  const what = sum ?? (total === 1 ? "Bier" : "Biere");
  drawTexts(pen, [{ text: what, size: 56, weight: 700, color: soft, widest: 640 }], { last: 148 });
  pen.translate(middle, 180);
  drawStrokes(pen, total);
  pen.restore();
}

/** Draws dark boards with a lamp above. */
function drawBar(pen: Pen): void {
  const wood = pen.createLinearGradient(0, 0, 0, pictureSize.height);
  wood.addColorStop(0, "#5a3218");
  wood.addColorStop(1, "#23130a");
  pen.fillStyle = wood;
  pen.fillRect(0, 0, pictureSize.width, pictureSize.height);
  for (let y = 0; y < pictureSize.height; y += 11) {
    pen.fillStyle = `rgb(0 0 0 / ${0.04 + ((y * 7) % 5) / 100})`;
    pen.fillRect(0, y, pictureSize.width, 2);
  }
  pen.fillStyle = "rgb(0 0 0 / 0.4)";
  for (let y = 240; y < pictureSize.height; y += 240) pen.fillRect(0, y, pictureSize.width, 6);
  const lamp = pen.createRadialGradient(middle, 760, 60, middle, 760, 1000);
  lamp.addColorStop(0, "rgb(255 176 72 / 0.42)");
  lamp.addColorStop(1, "rgb(255 176 72 / 0)");
  pen.fillStyle = lamp;
  pen.fillRect(0, 0, pictureSize.width, pictureSize.height);
}

/** Draws a mat like the counter's, centered at the origin. */
function drawMat(pen: Pen): void {
  const edge = new Path2D(scallops);
  pen.save();
  pen.scale(2.27, 2.27);
  pen.save();
  pen.shadowColor = "rgb(0 0 0 / 0.5)";
  pen.shadowBlur = 60;
  pen.shadowOffsetY = 24;
  pen.fillStyle = "#fffaf0";
  // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a canvas and no array
  pen.fill(edge);
  pen.restore();
  pen.strokeStyle = "#d98e00";
  pen.lineWidth = 4;
  circle(pen, 181);
  pen.lineWidth = 1.2;
  circle(pen, 174);
  pen.fillStyle = "rgb(217 142 0 / 0.55)";
  for (const { turn, out, lean } of wreath) {
    pen.save();
    pen.rotate(radians(turn));
    pen.translate(0, out);
    pen.rotate(radians(lean));
    pen.beginPath();
    pen.ellipse(0, 0, 9.5, 3.8, 0, 0, 2 * Math.PI);
    pen.fill();
    pen.restore();
  }
  pen.restore();
}

function circle(pen: Pen, radius: number): void {
  pen.beginPath();
  pen.arc(0, 0, radius, 0, 2 * Math.PI);
  pen.stroke();
}

function radians(degrees: number): number {
  return (degrees / 180) * Math.PI;
}

/** Draws below the origin. A high number is e.g. "12 ×", one bundle and the remaining strokes. */
function drawStrokes(pen: Pen, count: number): void {
  const { times, strokes } = splitTally(count);
  const named = times > 0 ? `${formatNumber(times)} ×` : "";
  const bundles = Math.ceil(strokes / 5) + (times > 0 ? 1 : 0);
  const scale = Math.min(2, 3.2 / Math.ceil(bundles / 5));
  pen.save();
  pen.lineCap = "round";
  pen.strokeStyle = pen.fillStyle = soft;
  pen.lineWidth = 3.4;
  pen.textAlign = "right";
  pen.font = `700 30px ${fontFamily()}`;
  pen.scale(scale, scale);
  pen.translate((pen.measureText(named).width - Math.min(5, bundles) * 44) / 2, 0);
  pen.fillText(named, -12, 31);
  if (times > 0) for (const path of strokePaths(5, 0)) pen.stroke(new Path2D(path));
  for (const path of strokePaths(strokes, times > 0 ? 1 : 0)) pen.stroke(new Path2D(path));
  pen.restore();
}

interface PictureCurve {
  readonly top: number;
  readonly height: number;
  readonly counts: readonly number[];
  readonly ticks: readonly { readonly span: number; readonly text: string }[];
}

/** Draws a curve like `AreaCurve`, with labels below. */
export function drawCurve(pen: Pen, { top, height, counts, ticks }: PictureCurve): void {
  const [left, width] = [90, pictureSize.width - 180];
  const line = curvePath(createCurve(counts), width, height);
  const area = new Path2D(`${line}L${width} ${height}L0 ${height}Z`);
  pen.save();
  pen.translate(left, top);
  const glass = pen.createLinearGradient(0, 0, 0, height);
  glass.addColorStop(0, beer);
  glass.addColorStop(1, "#d98e00");
  pen.fillStyle = glass;
  // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a canvas and no array
  pen.fill(area);
  pen.save();
  pen.clip(area);
  pen.strokeStyle = "#fff7e3";
  pen.lineWidth = 32;
  pen.lineJoin = "round";
  pen.stroke(new Path2D(line));
  pen.restore();
  pen.fillStyle = cream;
  pen.globalAlpha = 0.7;
  pen.fillRect(0, height, width, 3);
  pen.globalAlpha = 1;
  pen.font = `650 36px ${fontFamily()}`;
  for (const { span, text } of ticks) pen.fillText(text, curvePosition(span - 0.5, counts.length) * width, height + 50);
  pen.restore();
}

/** Draws a yellow bundle of five, the sign of the app. */
export function drawMark(pen: Pen, top: number): void {
  pen.save();
  pen.translate(middle - 44 * 1.1, top);
  pen.scale(2.2, 2.2);
  pen.lineCap = "round";
  pen.lineWidth = 3.6;
  pen.strokeStyle = beer;
  for (const path of strokePaths(5, 0)) pen.stroke(new Path2D(path));
  pen.restore();
}

interface PictureText {
  readonly text: string;
  /** Largest font size in px: long texts are reduced, then split. */
  readonly size: number;
  readonly weight: number;
  readonly color: string;
  readonly widest?: number;
}

/** Takes as `anchor` the first or last baseline. */
export function drawTexts(
  pen: Pen,
  texts: readonly PictureText[],
  anchor: { readonly first: number } | { readonly last: number },
): void {
  const setFont = (weight: number, px: number): void => void (pen.font = `${weight} ${px}px ${fontFamily()}`);
  const limited = texts.map((text) => ({ widest: pictureSize.width - 140, ...text }));
  const lines = stackTexts(limited, anchor, (line, { weight }) => {
    setFont(weight, 100);
    return pen.measureText(line).width / 100;
  });
  for (const { text, line, size, y } of lines) {
    setFont(text.weight, size);
    pen.fillStyle = text.color;
    pen.fillText(line, middle, y);
  }
}

function fontFamily(): string {
  return getComputedStyle(document.body).getPropertyValue("--display");
}
