import type { FastifyReply, FastifyRequest } from "fastify";

import { refuse } from "./refusal.ts";

/** Bytes `start` up to and including `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Which part of `size` bytes a Range header asks for; "all" where it asks for several (an answer never contains more than
 * the file once) or in another unit; null where it asks for nothing that exists.
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

/**
 * Answers with a file, or with the part of it that was asked for: sets status and headers, and reads no more than that.
 * `tag` changes with the bytes.
 */
export async function sendRange(
  request: FastifyRequest,
  reply: FastifyReply,
  file: { size: number; tag: string; read(span: ByteRange): Promise<Buffer> },
): Promise<Buffer> {
  const etag = `"${file.tag}"`;
  reply.headers({ "accept-ranges": "bytes", etag });
  if (request.headers["if-none-match"] === etag) {
    reply.code(304);
    return Buffer.alloc(0);
  }
  const ifRange = request.headers["if-range"];
  const isSame = ifRange === undefined || ifRange === etag;
  const span = isSame ? parseRange(request.headers.range, file.size) : "all";
  if (span === null) {
    reply.header("content-range", `bytes */${file.size}`);
    throw refuse("M416");
  }
  if (span === "all") return file.read({ start: 0, end: file.size - 1 });
  reply.code(206).header("content-range", `bytes ${span.start}-${span.end}/${file.size}`);
  return file.read(span);
}
