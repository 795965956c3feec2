// This file runs as a child process of picture-process.ts, because a decoder cannot be interrupted, only killed.
import { writeFileSync } from "node:fs";

import sharp from "sharp";

/** A picture to decode and its output formats. */
export interface PictureJob {
  /** A PNG or JPEG with a checked header. */
  readonly bytes: Buffer;
  readonly maxPixels: number;
  /** The least severe decoder problem that fails the job. */
  readonly failOn: "warning" | "error";
  readonly encodings: readonly PictureEncoding[];
}

/** A square PNG, cropped at the right or the bottom, or a WebP of at most this width and twice this height. */
export type PictureEncoding =
  | { readonly format: "png"; readonly side: number }
  | { readonly format: "webp"; readonly width: number };

/** The encoded pictures in the order of the job; `null` if the file cannot be decoded. */
export type PictureReply = Buffer[] | null;

sharp.cache(false);
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: ["VipsForeignLoadPngBuffer", "VipsForeignLoadJpegBuffer"] });

// Makes the kernel kill this process instead of the server when memory runs out.
try {
  writeFileSync("/proc/self/oom_score_adj", "1000");
} catch {
  // The file exists only on Linux.
}

process.on("message", (job: PictureJob) => {
  void encodeAll(job).then(
    (pictures) => process.send!(pictures),
    () => process.send!(null),
  );
});
// The worker ends with the server. `process.exit()` would wait for the decoder.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
// Ctrl-C signals the whole process group, but the server must finish its requests first.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});

async function encodeAll(job: PictureJob): Promise<Buffer[]> {
  const pictures: Buffer[] = [];
  // Encodings run one after another, because each decodes the whole picture in memory.
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
