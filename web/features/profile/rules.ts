import { avatarLimits } from "#contract/profile.ts";
import { ApiError, somethingFailed } from "#web/platform/api.ts";

const { perMember } = avatarLimits;
/** Why there is no room for one more picture. */
export const fullMessage = `Mehr als ${perMember} Profilbilder gehen nicht. Lösche erst eins.`;

export function isFull(pictures: number): boolean {
  return pictures >= perMember;
}

/** What stands below one's pictures: how many there are, and why there may be no more. */
export function describeCount(pictures: number): string {
  if (pictures === 0) return "Noch keine Profilbilder hochgeladen.";
  return isFull(pictures) ? fullMessage : `${pictures} von ${perMember} Profilbildern`;
}

/** Why a picture was not uploaded. */
export function uploadErrorText(error: unknown): string {
  const refusal = error instanceof ApiError ? error : null;
  const [reason] = refusal?.errors["avatar"] ?? [];
  if (reason !== undefined) return reason;
  // The server waits for a minute.
  if (refusal?.status === 408) return "Deine Verbindung ist dafür zu langsam. Versuch es mit besserem Empfang nochmal.";
  return refusal?.status === 0 ? refusal.message : somethingFailed;
}

/** What of a picture stands in the square frame: its middle and side in pixels of the upright picture, and quarter turns. */
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

/** How much of the stage the frame takes, and how much of the shorter side of a picture it shows at first. */
export const frameShare = 0.8;
/** One notch of the wheel, one press of a button. */
export const zoomStep = 0.1;
/** Largest side of what is uploaded, in pixels. */
export const outputSide = 1000;
const maxZoom = 10;

export function createCrop(width: number, height: number): Crop {
  return { width, height, x: width / 2, y: height / 2, side: Math.min(width, height) * frameShare, turns: 0 };
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

/** The pixels of the result: as many as the frame has, at most 1000 by 1000. */
export function outputSize({ side }: Crop): number {
  return Math.max(1, Math.min(outputSide, Math.round(side)));
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
