import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

import type { DoneFuncWithErrOrRes, FastifyReply, FastifyRequest } from "fastify";

import type { Endpoint } from "#contract/endpoint.ts";

export type ContentEncoding = "br" | "gzip";

/** Supported encodings, the preferred one first. */
const encodings = ["br", "gzip"] as const;

/** Minimum length of a text to compress; a shorter text fits into one network packet anyway. */
export const minCompressedBytes = 1024;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/**
 * Compression functions by encoding. They run on Node's thread pool; 5 kB take 0.15 ms of processor
 * time.
 */
export const compressors: Record<ContentEncoding, (text: string) => Promise<Buffer>> = {
  br: (text) => compressBrotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (text) => compressGzip(text),
};

const acceptedItemPattern = /^\s*([\w*-]+)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/;

/**
 * Chooses the encoding of a reply from an `Accept-Encoding` header (RFC 9110, 12.5.3); `null` means
 * no compression. Ignores malformed and unknown items.
 */
export function negotiateEncoding(accepted = ""): ContentEncoding | null {
  const weights = new Map<string, number>();
  for (const item of accepted.toLowerCase().split(",")) {
    const [, name, weight = "1"] = acceptedItemPattern.exec(item) ?? [];
    if (name !== undefined) weights.set(name, Number(weight));
  }
  const weightOf = (encoding: ContentEncoding) => weights.get(encoding) ?? weights.get("*") ?? 0;
  const best = encodings.toSorted((one, other) => weightOf(other) - weightOf(one))[0]!;
  return weightOf(best) > 0 ? best : null;
}

export function addVaryEncoding(reply: FastifyReply): void {
  const vary = reply.getHeader("vary");
  reply.header("vary", vary === undefined ? "Accept-Encoding" : `${String(vary)}, Accept-Encoding`);
}

/**
 * Returns `true` for endpoints that reply to GET with JSON. No such reply may contain a secret,
 * because compression could reveal it (BREACH attack). Files are excluded: most are already
 * compressed, and data exports are personal.
 */
export function canCompress({ method, reply }: Endpoint): boolean {
  return method === "GET" && reply !== undefined;
}

/**
 * Compresses a text of more than 1 kB if the client accepts it. Used as a Fastify `onSend` hook.
 */
export function compressReply(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: DoneFuncWithErrOrRes,
): Promise<Buffer> | void {
  addVaryEncoding(reply);
  if (typeof payload !== "string" || Buffer.byteLength(payload) <= minCompressedBytes) return done();
  const encoding = negotiateEncoding(request.headers["accept-encoding"]);
  if (encoding === null) return done();
  return compressors[encoding](payload).then((compressed) => {
    reply.header("content-encoding", encoding);
    return compressed;
  });
}
