import sharp from "sharp";

import { readImageFile } from "./image-file.ts";
import { createSemaphore } from "./semaphore.ts";

/** Why a file is no picture we take: another type, something that only looks like one, or the wrong size. */
export type PictureProblem = "type" | "broken" | "dimensions";

const withPermit = createSemaphore(2);
const maxWaiting = 200;
const timeoutSeconds = 5;
const maxPixels = 1_100_000;
/** Cropping by hand rounds: so many pixels may the sides differ. */
const squareTolerance = 1;

/** Lets the decoder open nothing but PNG and JPEG: the other formats' parsers stay out of reach, whatever goes wrong above them. */
export function restrictImageDecoders(): void {
  sharp.cache(false);
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: ["VipsForeignLoadPngBuffer", "VipsForeignLoadJpegBuffer"] });
}

/**
 * A square PNG made anew from a PNG or JPEG of at most `side` pixels: upright, without metadata or anything else of the file.
 * Two at a time; `read` brings the bytes only when it is their turn, so that waiting costs no memory.
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
