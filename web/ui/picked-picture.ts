import { createCanvas, encodePng } from "./canvas.ts";
import { findMiddle, type Crop } from "./crop.ts";

/** A loaded picture in its upright orientation (EXIF applied by the browser), and its URL for an `<img>`. */
export interface PickedPicture {
  readonly image: HTMLImageElement;
  readonly width: number;
  readonly height: number;
  readonly url: string;
}

/**
 * Longest side of a picture in pixels. Larger pictures are scaled down, so that phones can move
 * them smoothly.
 */
const longestSide = 4096;

/** Shorter side in pixels of a rasterised vector drawing, enough for every cropped result. */
const drawingSide = 1250;

/**
 * Loads a picture or vector drawing from a file; rejects if the browser cannot decode the file.
 * `releasePicture` frees the memory.
 */
export async function loadPicture(file: File): Promise<PickedPicture> {
  const picked = await load(URL.createObjectURL(file));
  const isDrawing = file.type === "image/svg+xml" || file.name.toLowerCase().endsWith(".svg");
  if (!isDrawing && Math.max(picked.width, picked.height) <= longestSide) return picked;
  const canvas = isDrawing ? paintDrawing(picked) : paint(picked, longestSide / Math.max(picked.width, picked.height));
  releasePicture(picked);
  return load(URL.createObjectURL(await encodePng(canvas)));
}

export function releasePicture({ url }: PickedPicture): void {
  URL.revokeObjectURL(url);
}

/**
 * Draws the cropped part of a picture on a square canvas with sides of at most `maxSide` pixels.
 */
export function cropPicture(picture: PickedPicture, crop: Crop, maxSide: number): HTMLCanvasElement {
  const { image, width, height } = picture;
  const side = crop.area.width;
  const size = Math.min(maxSide, side);
  const middle = findMiddle(picture, crop);
  const canvas = createCanvas(size, size);
  const context = canvas.getContext("2d")!;
  context.imageSmoothingQuality = "high";
  context.scale(size / side, size / side);
  context.translate(middle.x, middle.y);
  context.rotate((crop.rotation * Math.PI) / 180);
  context.drawImage(image, -width / 2, -height / 2, width, height);
  return canvas;
}

async function load(url: string): Promise<PickedPicture> {
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
  } catch (error) {
    URL.revokeObjectURL(url);
    throw error;
  }
  return { image, width: image.naturalWidth, height: image.naturalHeight, url };
}

/**
 * Converts a vector drawing to pixels: its shorter side gets `drawingSide` pixels, unless the longer
 * side would exceed `longestSide`. A drawing without a size becomes a square.
 */
function paintDrawing(picked: PickedPicture): HTMLCanvasElement {
  if (picked.width === 0 || picked.height === 0)
    return paint({ ...picked, width: drawingSide, height: drawingSide }, 1);
  const scale = drawingSide / Math.min(picked.width, picked.height);
  return paint(picked, Math.min(scale, longestSide / Math.max(picked.width, picked.height)));
}

function paint({ image, width, height }: PickedPicture, scale: number): HTMLCanvasElement {
  const canvas = createCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
  const context = canvas.getContext("2d")!;
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}
