import type { Area } from "react-easy-crop";

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The square part of a picture in the frame: in pixels of the turned picture, and its rotation in degrees (multiples of 90). */
export interface Crop {
  readonly area: Area;
  readonly rotation: number;
}

/** The square in the middle of a picture; `share` is the part of the shorter side in the frame. */
export function createCrop({ width, height }: Size, share = 1): Crop {
  const side = Math.max(1, Math.round(Math.min(width, height) * share));
  const area = { x: Math.round((width - side) / 2), y: Math.round((height - side) / 2), width: side, height: side };
  return { area, rotation: 0 };
}

/** The size of a picture after its rotation. */
export function turnSize({ width, height }: Size, rotation: number): Size {
  return rotation % 180 === 0 ? { width, height } : { width: height, height: width };
}

/** The middle of the picture, in pixels from the upper left corner of the cropped part. */
export function findMiddle(picture: Size, { area, rotation }: Crop): { readonly x: number; readonly y: number } {
  const turned = turnSize(picture, rotation);
  return { x: turned.width / 2 - area.x, y: turned.height / 2 - area.y };
}
