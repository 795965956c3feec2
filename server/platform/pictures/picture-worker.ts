// Runs as a child process of picture.ts, because a running decoder can be stopped only by killing
// its process.
import sharp from "sharp";

import { answerJobs } from "#server/platform/workers/answer-jobs.ts";

/** A picture to decode, and the formats in which it is encoded. */
export interface PictureJob {
  /** Content of a PNG or JPEG file, whose header has been checked. */
  readonly bytes: Buffer;
  readonly maxPixels: number;
  /** The lowest severity of a decoder problem that makes the job fail. */
  readonly failOn: "warning" | "error";
  readonly encodings: readonly PictureEncoding[];
}

/**
 * A square PNG with sides of `side` pixels, cropped at the right or the bottom; or a WebP of at
 * most `width` pixels in width and twice as many in height.
 */
export type PictureEncoding =
  | { readonly format: "png"; readonly side: number }
  | { readonly format: "webp"; readonly width: number };

/**
 * The encoded pictures in the order of the job's encodings; `null` if the file cannot be decoded.
 */
export type PictureReply = Buffer[] | null;

sharp.cache(false);
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: ["VipsForeignLoadPngBuffer", "VipsForeignLoadJpegBuffer"] });

answerJobs((job: PictureJob): Promise<PictureReply> => encodeAll(job).catch(() => null));

async function encodeAll(job: PictureJob): Promise<Buffer[]> {
  const pictures: Buffer[] = [];
  // Runs one encoding at a time, because each decodes the whole picture in memory.
  for (const encoding of job.encodings) pictures.push(await encode(job, encoding));
  return pictures;
}

function encode({ bytes, maxPixels, failOn }: PictureJob, encoding: PictureEncoding): Promise<Buffer> {
  const picture = sharp(bytes, { limitInputPixels: maxPixels, failOn }).autoOrient();
  if (encoding.format === "png") {
    const { side } = encoding;
    return picture
      .extract({ left: 0, top: 0, width: side, height: side })
      .toColourspace("srgb")
      .png({ compressionLevel: 9 })
      .toBuffer();
  }
  const { width } = encoding;
  return picture
    .resize({ width, height: width * 2, fit: "inside", withoutEnlargement: true })
    .webp({ quality: 82, effort: 3 })
    .toBuffer();
}
