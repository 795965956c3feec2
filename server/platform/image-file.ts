/** The header of a picture file, read without decoding it. */
export interface ImageFile {
  readonly width: number;
  readonly height: number;
  /** The file without optional chunks, such as texts and colour profiles, which can contain decompression bombs. */
  readonly bytes: Buffer;
}

const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const jpegStart = Buffer.from([0xff, 0xd8, 0xff]);
/** eXIf contains the orientation. */
const keptChunks = new Set(["IHDR", "PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "eXIf", "IDAT", "IEND"]);
const maxExifBytes = 65_536;
/** A picture of 5 MB has some hundred. Half a million empty ones would hold up everybody for an eighth of a second. */
const maxChunks = 10_000;

/**
 * Reads a PNG or JPEG. Null for other content, and for files with data after the picture, such as an archive or a page.
 * "broken": begins like a picture and is none.
 */
export function readImageFile(file: Buffer): ImageFile | "broken" | null {
  if (file.subarray(0, pngStart.length).equals(pngStart)) return readPng(file);
  if (file.subarray(0, jpegStart.length).equals(jpegStart)) return readJpeg(file);
  return null;
}

function readPng(file: Buffer): ImageFile | "broken" | null {
  const kept: Buffer[] = [pngStart];
  let size: { width: number; height: number } | undefined;
  let at = pngStart.length;
  for (let count = 0; count < maxChunks && at + 12 <= file.length; count += 1) {
    const length = file.readUInt32BE(at);
    const type = file.toString("latin1", at + 4, at + 8);
    const end = at + 12 + length;
    if (end > file.length) return "broken";
    if (!size) {
      if (type !== "IHDR" || length !== 13) return "broken";
      size = { width: file.readUInt32BE(at + 8), height: file.readUInt32BE(at + 12) };
    }
    if (keptChunks.has(type) && (type !== "eXIf" || length <= maxExifBytes)) kept.push(file.subarray(at, end));
    if (type === "IEND") return end === file.length ? { ...size, bytes: Buffer.concat(kept) } : null;
    at = end;
  }
  return "broken";
}

const startOfScan = 0xda;
const endOfImage = 0xd9;
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function readJpeg(file: Buffer): ImageFile | "broken" | null {
  let size: { width: number; height: number } | undefined;
  let at = 2;
  while (at + 4 <= file.length + 2) {
    if (file[at] !== 0xff) return "broken";
    const marker = file[at + 1]!;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === endOfImage) {
      if (!size) return "broken";
      return at + 2 === file.length ? { ...size, bytes: file } : null;
    }
    if (at + 4 > file.length) return "broken";
    const length = file.readUInt16BE(at + 2);
    if (isFrame(marker)) {
      if (size || length < 8 || at + 9 > file.length) return "broken";
      size = { height: file.readUInt16BE(at + 5), width: file.readUInt16BE(at + 7) };
    }
    at += 2 + length;
    if (marker === startOfScan) at = findEndOfScan(file, at);
  }
  return "broken";
}

/** Where the next marker stands after the entropy-coded data that begins at `from`. */
function findEndOfScan(file: Buffer, from: number): number {
  for (let at = from; at + 1 < file.length; at += 1) {
    if (file[at] !== 0xff) continue;
    const next = file[at + 1]!;
    // A stuffed zero, a restart marker and fill bytes belong to the data.
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return file.length;
}
