import { Readable } from "node:stream";

import type { FastifyReply, FastifyRequest } from "fastify";

import type { ByteRange, StoredFile } from "#server/db/bytes.ts";
import { refuse } from "./refusal.ts";

/** A client that stops reading occupies at most this much memory. */
const pieceBytes = 256 * 1024;

/**
 * "all" (the whole file) without a header, for units other than bytes, and for several ranges, which could overlap.
 * `null` if the range is malformed or outside the file.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | "all" | null {
  if (header === undefined || !/^bytes\s*=/i.test(header)) return "all";
  const list = header.slice(header.indexOf("=") + 1);
  if (list.includes(",")) return "all";
  const [, first = "", last = ""] = /^\s*(\d*)-(\d*)\s*$/.exec(list) ?? [];
  if (first === "" && last === "") return null;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? null : { start: size - length, end: size - 1 };
  }
  const span = { start: Number(first), end: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
  return span.start > span.end ? null : span;
}

/** Reads each piece only after the client has received the previous one. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredFile,
): Promise<Buffer | Readable> {
  const etag = `"${file.tag}"`;
  reply.headers({ "accept-ranges": "bytes", etag });
  if (isKnown(etag, request.headers["if-none-match"])) {
    reply.code(304);
    return Buffer.alloc(0);
  }
  const ifRange = request.headers["if-range"];
  const isSame = ifRange === undefined || ifRange === etag;
  const span = isSame ? parseRange(request.headers.range, file.size) : "all";
  if (span === null) {
    reply.header("content-range", `bytes */${file.size}`);
    throw refuse("rangeNotSatisfiable");
  }
  if (span === "all") return sendPieces(request, reply, file, { start: 0, end: file.size - 1 });
  reply.code(206).header("content-range", `bytes ${span.start}-${span.end}/${file.size}`);
  return sendPieces(request, reply, file, span);
}

/** Proxies may add the prefix `W/`. */
function isKnown(etag: string, header = ""): boolean {
  return header.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);
}

/**
 * Allows a long cache lifetime, since the URL of a picture changes with its bytes. Refuses with 404 if the file is
 * `undefined`.
 */
export async function sendPicture(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredFile | undefined,
  filename: string,
): Promise<Buffer | Readable> {
  if (!file) throw refuse("notFound");
  reply.headers({
    "cache-control": "private, max-age=31536000, immutable",
    "content-disposition": `inline; filename="${filename}"`,
  });
  return sendFile(request, reply, file);
}

async function sendPieces(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredFile,
  { start, end }: ByteRange,
): Promise<Buffer | Readable> {
  const length = end - start + 1;
  if (length <= pieceBytes) return file.read({ start, end });
  reply.header("content-length", length);
  if (request.method === "HEAD") return Readable.from([]);

  async function* readPieces(): AsyncGenerator<Buffer> {
    for (let at = start; at <= end; at += pieceBytes)
      yield await file.read({ start: at, end: Math.min(end, at + pieceBytes - 1) });
  }
  return Readable.from(readPieces(), { objectMode: false, highWaterMark: 1 });
}
