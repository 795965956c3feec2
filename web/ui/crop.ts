/** The part of a picture in the square frame: its middle and side in pixels of the upright picture, and quarter turns. */
export interface Crop {
  readonly width: number;
  readonly height: number;
  readonly x: number;
  readonly y: number;
  readonly side: number;
  /** Clockwise, 0 to 3. */
  readonly turns: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Share of the stage's side that the frame covers. */
export const frameShare = 0.8;
/** One notch of the wheel, one press of a button. */
export const zoomStep = 0.1;
const maxZoom = 10;

/** The middle of a picture, by default all of its shorter side; `share` is the part of that side in the frame. */
export function createCrop(width: number, height: number, share = 1): Crop {
  return { width, height, x: width / 2, y: height / 2, side: Math.min(width, height) * share, turns: 0 };
}

/** Moves the picture under the frame by a part of the stage's side. */
export function moveCrop(crop: Crop, by: Point): Crop {
  const { x, y } = toPicture(crop, by, crop.side);
  return clampCrop({ ...crop, x: crop.x - x, y: crop.y - y });
}

/** Zooms in (`factor` above 1) or out; what lies under `at` (parts of the stage's side from its middle) stays there. */
export function zoomCrop(crop: Crop, factor: number, at: Point = { x: 0, y: 0 }): Crop {
  const shorter = Math.min(crop.width, crop.height);
  const side = Math.min(shorter, Math.max(shorter / maxZoom, crop.side / factor));
  const before = toPicture(crop, at, crop.side);
  const after = toPicture(crop, at, side);
  return clampCrop({ ...crop, side, x: crop.x + before.x - after.x, y: crop.y + before.y - after.y });
}

/** Turns by a quarter, clockwise for 1, the other way for -1. */
export function rotateCrop(crop: Crop, by: 1 | -1): Crop {
  return { ...crop, turns: (crop.turns + by + 4) % 4 };
}

/** Side of the result in pixels: as many as the frame shows, at most `max`. */
export function outputSize({ side }: Crop, max: number): number {
  return Math.max(1, Math.min(max, Math.round(side)));
}

/** A way across the stage as a way across the upright picture, in its pixels. */
function toPicture({ turns }: Crop, { x, y }: Point, side: number): Point {
  const scale = side / frameShare;
  const [cos, sin] = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ][turns] as [number, number];
  return { x: (x * cos + y * sin) * scale, y: (y * cos - x * sin) * scale };
}

/** The frame never leaves the picture. */
function clampCrop(crop: Crop): Crop {
  const half = crop.side / 2;
  const clamp = (value: number, length: number) => Math.min(length - half, Math.max(half, value));
  return { ...crop, x: clamp(crop.x, crop.width), y: clamp(crop.y, crop.height) };
}
