import type Sharp from "sharp";

import { readImageFile } from "./image-file.ts";
import { createSemaphore } from "./semaphore.ts";

/** Why a picture is refused: another file type, a broken file, or the wrong size. */
export type PictureProblem = "type" | "broken" | "dimensions";

const withPermit = createSemaphore(2);
const maxWaiting = 200;
const timeoutSeconds = 5;
const maxPixels = 1_100_000;
/** By how many pixels the sides of a square may differ, because cropping rounds. */
const squareTolerance = 1;

let areDecodersRestricted = false;

/** Disables every decoder but those for PNG and JPEG. */
export function restrictImageDecoders(): void {
  areDecodersRestricted = true;
}

/** Loads sharp when the first picture needs it: it takes 18 MB. */
export async function loadSharp(): Promise<typeof Sharp> {
  const { default: sharp } = await import("sharp");
  if (areDecodersRestricted) {
    sharp.cache(false);
    sharp.block({ operation: ["VipsForeignLoad"] });
    sharp.unblock({ operation: ["VipsForeignLoadPngBuffer", "VipsForeignLoadJpegBuffer"] });
  }
  return sharp;
}

/**
 * Encodes a PNG or JPEG of at most `side` pixels as a new square PNG: upright, without metadata. Two run at a time; `read` is
 * called only then, so that waiting takes no memory.
 */
export async function reencodePicture(read: () => Promise<Buffer>, side: number): Promise<Buffer | PictureProblem> {
  return withPermit(maxWaiting, async () => {
    const image = readImageFile(await read());
    if (image === null) return "type";
    if (image === "broken") return "broken";
    const { width, height, bytes } = image;
    const isSquare = Math.abs(width - height) <= squareTolerance;
    if (width < 1 || height < 1 || width > side || height > side || !isSquare) return "dimensions";
    const size = Math.min(width, height);
    const sharp = await loadSharp();
    try {
      return await sharp(bytes, { limitInputPixels: maxPixels, failOn: "warning" })
        .autoOrient()
        .extract({ left: 0, top: 0, width: size, height: size })
        .toColourspace("srgb")
        .png({ compressionLevel: 9 })
        .timeout({ seconds: timeoutSeconds })
        .toBuffer();
    } catch {
      return "broken";
    }
  });
}
