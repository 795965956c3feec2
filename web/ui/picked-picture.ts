import { createCanvas, encodePng } from "./canvas.ts";
import { findMiddle, type Crop } from "./crop.ts";

/** A picture that was picked: loaded, upright (the browser follows the camera's note), and its address for an `<img>`. */
export interface PickedPicture {
  readonly image: HTMLImageElement;
  readonly width: number;
  readonly height: number;
  readonly url: string;
}

/** Larger pictures are made smaller first, so that a phone can move them without stutter. */
const longestSide = 4096;

/** Side in pixels that a drawing gets, which has none: enough for every result. */
const drawingSide = 1250;

/** Loads a picture or drawing from the device; rejects what the browser cannot show. Give it back with `releasePicture`. */
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

/** Draws the part in the frame as a square of at most `maxSide` pixels. */
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

/** A drawing has no pixels: it gets as many as the result can use, and a square where it has no size of its own. */
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
