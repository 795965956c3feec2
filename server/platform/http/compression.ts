import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

import type { DoneFuncWithErrOrRes, FastifyReply, FastifyRequest } from "fastify";

import type { Endpoint } from "#contract/endpoint.ts";
import { createSemaphore } from "#server/platform/jobs/semaphore.ts";

export type ContentEncoding = "br" | "gzip";

/** Preferred one first. */
const encodings = ["br", "gzip"] as const;

/** A shorter text fits into one network packet anyway. */
export const minCompressedBytes = 1024;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = constants;
/** The small window halves the time of our short texts. */
const brotliParams = { [BROTLI_PARAM_QUALITY]: 5, [BROTLI_PARAM_LGWIN]: 16 };

/** Each encoder takes a quarter of a megabyte, also while it waits for Node's thread pool. */
const withEncoder = createSemaphore(8);

/** These run on the Node's thread pool. */
export const compressors: Record<ContentEncoding, (text: string) => Promise<Buffer>> = {
  br: (text) => withEncoder(Infinity, () => compressBrotli(text, { params: brotliParams })),
  gzip: (text) => withEncoder(Infinity, () => compressGzip(text)),
};

const acceptedItemPattern = /^\s*([\w*-]+)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/;

/** Parses an `Accept-Encoding` header (RFC 9110, 12.5.3) and ignores malformed and unknown items. */
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
 * Compression could reveal a secret (BREACH attack), so no JSON reply to GET may contain one. Files are excluded: most
 * are already compressed, and data exports are personal.
 */
export function canCompress({ method, reply }: Endpoint): boolean {
  return method === "GET" && reply !== undefined;
}

/** Fastify `onSend` hook. */
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
