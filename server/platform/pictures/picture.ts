import { join } from "node:path";

import type { FieldText } from "#contract/errors.ts";
import { megabytes } from "#contract/sizes.ts";
import { createSemaphore } from "#server/platform/jobs/semaphore.ts";
import { createWorkers } from "#server/platform/workers/worker-process.ts";
import { seconds } from "#server/time.ts";
import type { PictureJob, PictureProblem, PictureReply } from "./picture-worker.ts";

export const pictureProblemTexts: Record<PictureProblem, FieldText> = {
  type: "wrongImageType",
  broken: "notAnImage",
  dimensions: "wrongDimensions",
};

const withPermit = createSemaphore(2);
const maxWaiting = 200;

const maxWorkerBytes = megabytes(512);
const workerFile = join(import.meta.dirname, "picture-worker.ts");
const withWorker = createWorkers<PictureJob, PictureReply>(workerFile, maxWorkerBytes);

/**
 * First and last bytes of each type. `part` begins a scan of a JPEG, over which the decoder takes a pass, or a piece of
 * a PNG; common programs write ten scans, and a few hundred pieces in 5 MB.
 */
const fileTypes = [
  { start: "ffd8ff", end: "ffd9", part: "ffda", maxParts: 100 },
  { start: "89504e470d0a1a0a", end: "49454e44ae426082", part: "49444154", maxParts: 10_000 },
].map(({ maxParts, ...bytes }) => ({
  start: Buffer.from(bytes.start, "hex"),
  end: Buffer.from(bytes.end, "hex"),
  part: Buffer.from(bytes.part, "hex"),
  maxParts,
}));
type FileType = (typeof fileTypes)[number];

const findType = (file: Buffer) => fileTypes.find(({ start }) => file.subarray(0, start.length).equals(start));

/** Data such as an archive or a web page follow the picture. */
function hasTail(file: Buffer, { end }: FileType): boolean {
  const at = file.lastIndexOf(end);
  return at >= 0 && at + end.length < file.length;
}

/** Allows more in a large file, because `part` also occurs in other data, such as the film that a camera appends. */
function hasTooManyParts(file: Buffer, { part, maxParts }: FileType): boolean {
  const most = maxParts + file.length / 2 ** 15;
  let count = 0;
  for (let at = file.indexOf(part); at >= 0; at = file.indexOf(part, at + part.length)) if (++count > most) return true;
  return false;
}

/** "broken" if the picture could not be decoded within the limits. */
export async function runPictureJob(job: PictureJob, limitMs: number): Promise<PictureReply> {
  return (await withWorker((ask) => ask(job, limitMs))) ?? "broken";
}

/**
 * Encodes a square as a PNG, upright and without metadata. Refuses a file with other data after the picture. `read` is
 * called only when the call runs, so a waiting call uses no memory for the file.
 */
export async function reencodePicture(read: () => Promise<Buffer>, side: number): Promise<Buffer | PictureProblem> {
  return withPermit(maxWaiting, async () => {
    const bytes = await read();
    const type = findType(bytes);
    if (!type || hasTail(bytes, type)) return "type";
    if (hasTooManyParts(bytes, type)) return "broken";
    const reply = await runPictureJob({ bytes, side }, seconds(10));
    return typeof reply === "string" ? reply : reply[0]!;
  });
}

/** Encodes one WebP for each maximum width, upright and without metadata. Ignores data after the picture. */
export async function shrinkPicture(bytes: Buffer, widths: readonly number[]): Promise<Buffer[] | PictureProblem> {
  const type = findType(bytes);
  if (!type) return "type";
  if (hasTooManyParts(bytes, type)) return "broken";
  return withPermit(maxWaiting, () => runPictureJob({ bytes, widths }, seconds(30)));
}
