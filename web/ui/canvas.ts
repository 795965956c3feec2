/** Creates an empty canvas; sizes in pixels. */
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

/** JPEG quality, from 0 to 1. */
const quality = 0.9;

async function encode(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality));
  if (!blob) throw new Error("The picture could not be drawn.");
  return blob;
}
