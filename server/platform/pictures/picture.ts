import { join } from "node:path";

import type { FieldText } from "#contract/errors.ts";
import { createSemaphore } from "#server/platform/jobs/semaphore.ts";
import { createWorkers } from "#server/platform/workers/worker-process.ts";
import { seconds } from "#server/time.ts";
import { readImageFile } from "./image-file.ts";
import type { PictureJob, PictureReply } from "./picture-worker.ts";

/**
 * The reason for refusing a picture: another file type, a broken file, or a wrong width or height.
 */
export type PictureProblem = "type" | "broken" | "dimensions";

export const pictureProblemTexts: Record<PictureProblem, FieldText> = {
  type: "wrongImageType",
  broken: "notAnImage",
  dimensions: "wrongDimensions",
};

const withPermit = createSemaphore(2);
const maxWaiting = 200;

const maxWorkerBytes = 512 * 1024 * 1024;
const workerFile = join(import.meta.dirname, "picture-worker.ts");
const withWorker = createWorkers<PictureJob, PictureReply>(workerFile, maxWorkerBytes);

/** Runs a job in a worker process. Returns `null` if the picture could not be decoded within the limits. */
export function runPictureJob(job: PictureJob, limitMs: number): Promise<PictureReply> {
  return withWorker((ask) => ask(job, limitMs));
}

const square = {
  maxPixels: 1_100_000,
  limitMs: seconds(10),
  /** Maximum difference in pixels between width and height, because cropping rounds. */
  tolerance: 1,
};

/**
 * Encodes a square PNG or JPEG with sides of at most `side` pixels as a PNG, upright and without
 * metadata. Refuses a file with other data after the picture. At most two pictures are encoded at a
 * time. A waiting call uses no memory for the file, because `read` is called only when the call
 * runs.
 */
export async function reencodePicture(read: () => Promise<Buffer>, side: number): Promise<Buffer | PictureProblem> {
  return withPermit(maxWaiting, async () => {
    const image = readImageFile(await read());
    if (image === "broken") return "broken";
    if (image === null || image.hasTail) return "type";
    const { width, height, bytes } = image;
    const isSquare = Math.abs(width - height) <= square.tolerance;
    if (width < 1 || height < 1 || width > side || height > side || !isSquare) return "dimensions";
    const encodings = [{ format: "png", side: Math.min(width, height) }] as const;
    const job = { bytes, encodings, maxPixels: square.maxPixels, failOn: "warning" } as const;
    return (await runPictureJob(job, square.limitMs))?.[0] ?? "broken";
  });
}

const photo = {
  maxPixels: 60_000_000,
  /**
   * Maximum decoded bytes of a picture that the decoder holds in memory as a whole; the decoder
   * reads other pictures row by row.
   */
  maxDecodedBytes: 64 * 1024 * 1024,
  limitMs: seconds(30),
};

/**
 * Encodes a PNG or JPEG as one WebP for each of the maximum widths in `widths`, upright and without
 * metadata. Ignores data after the picture.
 */
export async function shrinkPicture(file: Buffer, widths: readonly number[]): Promise<Buffer[] | PictureProblem> {
  const image = readImageFile(file);
  if (image === "broken") return "broken";
  if (image === null) return "type";
  const { width, height, bytes, isDecodedAtOnce, decodedBytes } = image;
  if (width < 1 || height < 1 || width * height > photo.maxPixels) return "dimensions";
  if (isDecodedAtOnce && decodedBytes > photo.maxDecodedBytes) return "dimensions";
  return withPermit(maxWaiting, async () => {
    const encodings = widths.map((one) => ({ format: "webp", width: one }) as const);
    const job = { bytes, encodings, maxPixels: photo.maxPixels, failOn: "error" } as const;
    return (await runPictureJob(job, photo.limitMs)) ?? "broken";
  });
}
