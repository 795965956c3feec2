/** Detects the type by the first bytes; `null` if it is none of these. */
export function detectAudioType(bytes: Buffer): "audio/mpeg" | "audio/mp4" | "audio/ogg" | null {
  const isMpegFrame = bytes[0] === 0xff && (bytes[1]! & 0xe6) === 0xe2;
  if (bytes.subarray(0, 3).toString("latin1") === "ID3" || isMpegFrame) return "audio/mpeg";
  if (bytes.subarray(0, 4).toString("latin1") === "OggS") return "audio/ogg";
  const brand = bytes.subarray(4, 11).toString("latin1");
  return /^ftyp(M4A|mp4|iso|das)/.test(brand) ? "audio/mp4" : null;
}
