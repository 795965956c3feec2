// Runs as a child process, because a running decoder can be stopped only by killing its process.
import sharp, { type Metadata } from "sharp";

import { megabytes } from "#contract/sizes.ts";
import { answerJobs } from "#server/platform/workers/answer-jobs.ts";

/** `type` is another file type, `dimensions` a wrong width or height. */
export type PictureProblem = "type" | "broken" | "dimensions";

/**
 * `side` asks for a square PNG with sides of at most this many pixels, cropped at the right or the bottom; `widths` for
 * one WebP for each maximum width, at most twice as high as wide.
 */
export type PictureJob = { readonly bytes: Buffer } & (
  | { readonly side: number }
  | { readonly widths: readonly number[] }
);

/** In the order of the job's widths. */
export type PictureReply = Buffer[] | PictureProblem;

const photo = {
  maxPixels: 60_000_000,
  /** For a picture that the decoder cannot read row by row. */
  maxDecodedBytes: megabytes(64),
};

sharp.cache(false);
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: ["VipsForeignLoadPngBuffer", "VipsForeignLoadJpegBuffer"] });

answerJobs((job: PictureJob): Promise<PictureReply> => encode(job).catch(() => "broken" as const));

async function encode(job: PictureJob): Promise<PictureReply> {
  const header = await sharp(job.bytes, { limitInputPixels: false }).metadata();
  return "side" in job ? encodeSquare(job.bytes, header, job.side) : encodePhoto(job.bytes, header, job.widths);
}

async function encodeSquare(bytes: Buffer, { width, height }: Metadata, maxSide: number): Promise<PictureReply> {
  // Cropping rounds, so the sides may differ by one pixel.
  if (Math.max(width, height) > maxSide || Math.abs(width - height) > 1) return "dimensions";
  const side = Math.min(width, height);
  const picture = sharp(bytes, { failOn: "warning" })
    .autoOrient()
    .extract({ left: 0, top: 0, width: side, height: side });
  return [await picture.toColourspace("srgb").png({ compressionLevel: 9 }).toBuffer()];
}

async function encodePhoto(bytes: Buffer, header: Metadata, widths: readonly number[]): Promise<PictureReply> {
  const { width, height, channels, depth, isProgressive } = header;
  const decodedBytes = width * height * channels * (depth === "ushort" ? 2 : 1);
  if (width * height > photo.maxPixels || (isProgressive && decodedBytes > photo.maxDecodedBytes)) return "dimensions";
  const pictures: Buffer[] = [];
  // One encoding at a time, because each decodes the whole picture in memory.
  for (const most of widths) {
    const picture = sharp(bytes, { limitInputPixels: photo.maxPixels, failOn: "error" }).autoOrient();
    const small = picture.resize({ width: most, height: most * 2, fit: "inside", withoutEnlargement: true });
    pictures.push(await small.webp({ quality: 82, effort: 3 }).toBuffer());
  }
  return pictures;
}
