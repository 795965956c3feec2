import type { OwnYear } from "#contract/year-review.ts";
import { scallops, wreath } from "#web/ui/beer-mat.tsx";
import { createCanvas, encodePng } from "#web/ui/canvas.ts";
import { formatNumber } from "#web/ui/german.ts";
import { strokePaths, splitTally } from "#web/ui/tally.tsx";
import { fitText, pictureLines } from "../rules.ts";

/** As tall and wide as a phone's story. */
const size = { width: 1080, height: 1920 };
const middle = size.width / 2;
const cream = "#fff4df";
const ink = "#2b1a10";
const beer = "#ffcb4f";

export interface PictureWords {
  readonly own: OwnYear;
  readonly year: number;
  readonly isFinal: boolean;
  readonly group: string;
  /** Null: the picture is anonymous. */
  readonly name: string | null;
}

/** One's own year as a PNG of 1080 by 1920: a mat on the bar, and under it what the year was like. */
export async function drawPicture({ own, year, isFinal, group, name }: PictureWords): Promise<Blob> {
  // Without a connection to load it, another font takes its place.
  await document.fonts.load('800 76px "Bricolage Grotesque"', `${group}${name}`).catch(() => undefined);
  const canvas = createCanvas(size.width, size.height);
  const pen = canvas.getContext("2d")!;
  pen.textAlign = "center";
  pen.textBaseline = "alphabetic";

  drawBar(pen);
  drawText(pen, group, 210, { size: 76, weight: 800, colour: cream });
  drawText(pen, `Jahresrückblick ${year}`, 296, { size: 50, weight: 650, colour: beer });
  if (!isFinal) drawText(pen, "bis heute", 362, { size: 40, weight: 600, colour: cream });

  pen.save();
  pen.translate(middle, 850);
  pen.rotate(-0.04);
  drawMat(pen);
  // Without a name the number moves up into its place.
  pen.translate(-middle, name === null ? -50 : 0);
  if (name !== null) drawText(pen, name, -200, { size: 64, weight: 750, colour: "#2f7d3b", widest: 520 });
  drawText(pen, formatNumber(own.total), 70, { size: 290, weight: 850, colour: ink, widest: 640 });
  drawText(pen, own.total === 1 ? "Bier" : "Biere", 148, { size: 56, weight: 700, colour: "#6a5038" });
  pen.translate(middle, 180);
  drawStrokes(pen, own.total);
  pen.restore();

  pictureLines(own).forEach((line, index) => {
    drawText(pen, line, 1480 + index * 92, { size: 58, weight: 700, colour: cream });
  });
  drawMark(pen, 1740);
  return encodePng(canvas);
}

type Canvas2D = CanvasRenderingContext2D;

/** Boards of dark wood with their grain, a lamp above them. */
function drawBar(pen: Canvas2D): void {
  const wood = pen.createLinearGradient(0, 0, 0, size.height);
  wood.addColorStop(0, "#5a3218");
  wood.addColorStop(1, "#23130a");
  pen.fillStyle = wood;
  pen.fillRect(0, 0, size.width, size.height);
  for (let y = 0; y < size.height; y += 11) {
    pen.fillStyle = `rgb(0 0 0 / ${0.04 + ((y * 7) % 5) / 100})`;
    pen.fillRect(0, y, size.width, 2);
  }
  pen.fillStyle = "rgb(0 0 0 / 0.4)";
  for (let y = 240; y < size.height; y += 240) pen.fillRect(0, y, size.width, 6);
  const lamp = pen.createRadialGradient(middle, 760, 60, middle, 760, 1000);
  lamp.addColorStop(0, "rgb(255 176 72 / 0.42)");
  lamp.addColorStop(1, "rgb(255 176 72 / 0)");
  pen.fillStyle = lamp;
  pen.fillRect(0, 0, size.width, size.height);
}

/** The mat of the counter, around the origin. */
function drawMat(pen: Canvas2D): void {
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

function circle(pen: Canvas2D, radius: number): void {
  pen.beginPath();
  pen.arc(0, 0, radius, 0, 2 * Math.PI);
  pen.stroke();
}

function radians(degrees: number): number {
  return (degrees / 180) * Math.PI;
}

/** The strokes of a count as on the counter, a full mat named by its bundles; below the origin. */
function drawStrokes(pen: Canvas2D, count: number): void {
  const { times, strokes } = splitTally(count);
  const named = times > 0 ? `${formatNumber(times)} ×` : "";
  const bundles = Math.ceil(strokes / 5) + (times > 0 ? 1 : 0);
  const scale = Math.min(2, 3.2 / Math.ceil(bundles / 5));
  pen.save();
  pen.lineCap = "round";
  pen.strokeStyle = pen.fillStyle = "#6a5038";
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

/** A bundle in yellow chalk, our sign. */
function drawMark(pen: Canvas2D, top: number): void {
  pen.save();
  pen.translate(middle - 44 * 1.1, top);
  pen.scale(2.2, 2.2);
  pen.lineCap = "round";
  pen.lineWidth = 3.6;
  pen.strokeStyle = beer;
  for (const path of strokePaths(5, 0)) pen.stroke(new Path2D(path));
  pen.restore();
}

/** A text in the middle that ends at `y`, smaller or in two lines where it is too long. */
function drawText(
  pen: Canvas2D,
  text: string,
  y: number,
  look: { size: number; weight: number; colour: string; widest?: number },
): void {
  const setSize = (px: number): void => void (pen.font = `${look.weight} ${px}px ${fontFamily()}`);
  setSize(100);
  const fitted = fitText(text, { ...look, widest: look.widest ?? size.width - 140 }, (part) => {
    return pen.measureText(part).width / 100;
  });
  setSize(fitted.size);
  pen.fillStyle = look.colour;
  fitted.lines.forEach((line, index) => {
    pen.fillText(line, middle, y - (fitted.lines.length - 1 - index) * fitted.size * 1.1);
  });
}

function fontFamily(): string {
  return getComputedStyle(document.body).getPropertyValue("--display");
}
