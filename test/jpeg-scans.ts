import sharp from "sharp";

const startOfScan = 0xda;

/**
 * Creates a valid progressive JPEG of `side` × `side` gray pixels. Such a file stores the picture
 * in scans, each of which adds detail; one scan is repeated until the file has `scans` scans.
 */
export async function createJpegOfScans(side: number, scans: number): Promise<Buffer> {
  const gray = sharp({ create: { width: side, height: side, channels: 3, background: "#777" } });
  const segments = splitJpeg(await gray.jpeg({ progressive: true }).toBuffer()).filter((one) => !isRefinement(one));
  for (const segment of segments.filter(isScan)) segment.set([0], bitsOf(segment));
  const own = segments.filter(isScan);
  const repeated = Array<Buffer>(scans - own.length).fill(own.at(-1)!);
  const end = segments.indexOf(own.at(-1)!);
  return Buffer.concat([...segments.slice(0, end), ...repeated, ...segments.slice(end)]);
}

/**
 * Splits a JPEG into its start marker, its segments (each with the pixel data that follows the
 * segment) and its end marker.
 */
function splitJpeg(file: Buffer): Buffer[] {
  const segments = [file.subarray(0, 2)];
  let at = 2;
  while (at + 2 < file.length) {
    let end = at + 2 + file.readUInt16BE(at + 2);
    if (file[at + 1] === startOfScan) while (file[end] !== 0xff || file[end + 1] === 0) end += 1;
    segments.push(file.subarray(at, end));
    at = end;
  }
  return [...segments, file.subarray(at)];
}

const isScan = (segment: Buffer) => segment[1] === startOfScan;
/**
 * Returns the position, in the header of a scan, of the byte that tells which bits of the picture's
 * values the scan contains. The upper half of the byte is 0 if these are the first bits of the
 * values, and greater if the scan adds a later bit.
 */
const bitsOf = (scan: Buffer) => 7 + 2 * scan[4]!;
/**
 * Returns `true` for a scan that adds one more bit to the values of an earlier scan. Decoders refuse
 * a picture in which such a scan occurs twice.
 */
const isRefinement = (segment: Buffer) => isScan(segment) && segment[bitsOf(segment)]! >> 4 > 0;
