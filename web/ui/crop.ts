import type { Area } from "react-easy-crop";

export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * The part of a picture in the square frame: `area` in pixels of the rotated picture, `rotation` in
 * degrees (a multiple of 90).
 */
export interface Crop {
  readonly area: Area;
  readonly rotation: number;
}

/** Returns a centred square crop; its side is `share` (0 to 1) of the picture's shorter side. */
export function createCrop({ width, height }: Size, share = 1): Crop {
  const side = Math.max(1, Math.round(Math.min(width, height) * share));
  const area = { x: Math.round((width - side) / 2), y: Math.round((height - side) / 2), width: side, height: side };
  return { area, rotation: 0 };
}

/** Returns the size of a picture after a rotation in degrees. */
export function turnSize({ width, height }: Size, rotation: number): Size {
  return rotation % 180 === 0 ? { width, height } : { width: height, height: width };
}

/** Returns the centre of the picture, in pixels from the upper left corner of the crop. */
export function findMiddle(picture: Size, { area, rotation }: Crop): { readonly x: number; readonly y: number } {
  const turned = turnSize(picture, rotation);
  return { x: turned.width / 2 - area.x, y: turned.height / 2 - area.y };
}
