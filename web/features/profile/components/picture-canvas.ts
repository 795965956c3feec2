import { createCanvas, encodePng } from "#web/ui/canvas.ts";
import { frameShare, outputSide, outputSize, type Crop } from "../rules.ts";

/** A picture that was picked: loaded, upright (the browser follows the camera's note), and its address for an `<img>`. */
export interface PickedPicture {
  readonly image: HTMLImageElement;
  readonly width: number;
  readonly height: number;
  readonly url: string;
}

/** Larger pictures are made smaller first, so that a phone can move them without stutter. */
const longestSide = 4096;

/** Loads a PNG, JPEG or SVG from the device; rejects what the browser cannot show. Give it back with `releasePicture`. */
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

/** What stands in the frame, as a square PNG. */
export function cropPicture({ image, width, height }: PickedPicture, crop: Crop): Promise<Blob> {
  const size = outputSize(crop);
  const canvas = createCanvas(size, size);
  const context = canvas.getContext("2d")!;
  context.imageSmoothingQuality = "high";
  context.translate(size / 2, size / 2);
  context.rotate((crop.turns * Math.PI) / 2);
  context.scale(size / crop.side, size / crop.side);
  context.drawImage(image, -crop.x, -crop.y, width, height);
  return encodePng(canvas);
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
  const enough = outputSide / frameShare;
  if (picked.width === 0 || picked.height === 0) return paint({ ...picked, width: enough, height: enough }, 1);
  const scale = enough / Math.min(picked.width, picked.height);
  return paint(picked, Math.min(scale, longestSide / Math.max(picked.width, picked.height)));
}

function paint({ image, width, height }: PickedPicture, scale: number): HTMLCanvasElement {
  const canvas = createCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
  const context = canvas.getContext("2d")!;
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}
