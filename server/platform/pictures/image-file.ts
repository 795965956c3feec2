/** Properties of a picture file, read without decoding it. */
export interface ImageFile {
  readonly width: number;
  readonly height: number;
  /** Size of the decoded pixels in bytes. */
  readonly decodedBytes: number;
  /**
   * `true` if the decoder holds the whole picture in memory; it decodes other pictures row by row.
   */
  readonly isDecodedAtOnce: boolean;
  /**
   * Bytes of the picture without trailing data. A PNG also loses optional chunks, such as texts and
   * colour profiles, which can contain decompression bombs.
   */
  readonly bytes: Buffer;
  /**
   * `true` if other data follow the picture in the file: an archive, a web page, or data that a
   * camera appended.
   */
  readonly hasTail: boolean;
}

const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const jpegStart = Buffer.from([0xff, 0xd8, 0xff]);
/** PNG chunks that are kept. The chunk eXIf contains the orientation. */
const keptChunks = new Set(["IHDR", "PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "eXIf", "IDAT", "IEND"]);
const maxExifBytes = 65_536;
/**
 * Maximum number of chunks in a PNG. A picture of 5 MB has a few hundred; half a million empty
 * chunks would block the event loop for an eighth of a second.
 */
const maxChunks = 10_000;
/**
 * Maximum number of scans in a JPEG, which are the parts into which its pixel data are divided.
 * Common programs write about ten; decoding each scan takes a pass over the whole picture.
 */
const maxScans = 100;

/** Reads the header of a PNG or JPEG. Returns `null` for other content, and "broken" for a damaged or malicious file. */
export function readImageFile(file: Buffer): ImageFile | "broken" | null {
  if (file.subarray(0, pngStart.length).equals(pngStart)) return readPng(file);
  if (file.subarray(0, jpegStart.length).equals(jpegStart)) return readJpeg(file);
  return null;
}

function readPng(file: Buffer): ImageFile | "broken" | null {
  const kept: Buffer[] = [pngStart];
  let header: PngHeader | undefined;
  let at = pngStart.length;
  for (let count = 0; count < maxChunks && at + 12 <= file.length; count += 1) {
    const length = file.readUInt32BE(at);
    const type = file.toString("latin1", at + 4, at + 8);
    const end = at + 12 + length;
    if (end > file.length) return "broken";
    if (!header) {
      if (type !== "IHDR" || length !== 13) return "broken";
      header = readPngHeader(file.subarray(at + 8, at + 21));
    }
    if (keptChunks.has(type) && (type !== "eXIf" || length <= maxExifBytes)) kept.push(file.subarray(at, end));
    if (type === "IEND") return { ...header, bytes: Buffer.concat(kept), hasTail: end < file.length };
    at = end;
  }
  return "broken";
}

/**
 * Number of channels by PNG color type. A palette (type 3) counts as four, because its colors may
 * be transparent.
 */
const pngChannels: Record<number, number> = { 0: 1, 2: 3, 3: 4, 4: 2 };

type PngHeader = Omit<ImageFile, "bytes" | "hasTail">;

function readPngHeader(header: Buffer): PngHeader {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [bitDepth, colorType, , , interlace] = header.subarray(8);
  const decodedBytes = width * height * (pngChannels[colorType!] ?? 4) * (bitDepth === 16 ? 2 : 1);
  return { width, height, decodedBytes, isDecodedAtOnce: interlace !== 0 };
}

const startOfScan = 0xda;
const endOfImage = 0xd9;
const progressiveFrame = 0xc2;
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
/**
 * Returns `true` for JPEG markers after which the file has no length field: 0x00 (an escaped data
 * byte 0xFF), TEM (0x01), restart markers (0xD0 to 0xD7), and a second start of image (0xD8).
 */
const isWithoutLength = (marker: number) => marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8);

function readJpeg(file: Buffer): ImageFile | "broken" | null {
  let frame: { width: number; height: number; channels: number } | undefined;
  let isDecodedAtOnce = false;
  let scans = 0;
  let at = 2;
  while (at + 4 <= file.length + 2) {
    if (file[at] !== 0xff) return "broken";
    const marker = file[at + 1]!;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === endOfImage) {
      if (!frame) return "broken";
      const { width, height, channels } = frame;
      const end = at + 2;
      const decodedBytes = width * height * channels;
      return { width, height, decodedBytes, isDecodedAtOnce, bytes: file.subarray(0, end), hasTail: end < file.length };
    }
    // Refuses markers without a length field. Decoders skip only the two bytes of such a marker. If
    // this loop read the next bytes as a length, it would also skip data in which decoders find
    // scans.
    if (isWithoutLength(marker) || at + 4 > file.length) return "broken";
    const length = file.readUInt16BE(at + 2);
    if (isFrame(marker)) {
      if (frame || length < 8 || at + 10 > file.length) return "broken";
      frame = { height: file.readUInt16BE(at + 5), width: file.readUInt16BE(at + 7), channels: file[at + 9]! };
      isDecodedAtOnce = marker === progressiveFrame;
    }
    if (marker === startOfScan) {
      scans += 1;
      if (!frame || scans > maxScans) return "broken";
      // If the first scan does not contain all channels, further scans must follow, and the decoder
      // has to hold the whole picture in memory.
      if (scans > 1 || file[at + 4]! < frame.channels) isDecodedAtOnce = true;
    }
    at += 2 + length;
    if (marker === startOfScan) at = findEndOfScan(file, at);
  }
  return "broken";
}

/**
 * Returns the position of the first marker after the compressed pixel data that begin at `from`.
 */
function findEndOfScan(file: Buffer, from: number): number {
  for (let at = from; at + 1 < file.length; at += 1) {
    if (file[at] !== 0xff) continue;
    const next = file[at + 1]!;
    // Skips 0xFF bytes that belong to the scan: those followed by 0x00 (a data byte 0xFF), restart
    // markers (0xD0 to 0xD7), and fill bytes (several 0xFF).
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return file.length;
}
