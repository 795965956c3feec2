import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

import type { DoneFuncWithErrOrRes, FastifyReply, FastifyRequest } from "fastify";

import type { Endpoint } from "#contract/endpoint.ts";

/** A content coding that the server can answer in. */
export type ContentEncoding = "br" | "gzip";

/** The one that compresses better comes first. */
const encodings = ["br", "gzip"] as const;

/** Shorter texts fit into one packet anyway. */
const minCompressedBytes = 1024;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Both work on threads beside the event loop; 5 kB cost 0.15 ms of processor time. */
export const compressors: Record<ContentEncoding, (text: string) => Promise<Buffer>> = {
  br: (text) => compressBrotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (text) => compressGzip(text),
};

const acceptedItemPattern = /^\s*([\w*-]+)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/;

/**
 * The encoding to answer in, by what an `Accept-Encoding` header says (RFC 9110, 12.5.3); null: the text as it is. Items that
 * are malformed or unknown are ignored.
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
 * Whether answers of an endpoint may be compressed: JSON that is read with GET. The length of a compressed answer shows how
 * much of it repeats, so an attacker who can put text beside a secret could guess it (BREACH). No GET answers with a secret;
 * files are compressed already, or an export of everything about a member.
 */
export function canCompress({ method, reply }: Endpoint): boolean {
  return method === "GET" && reply !== undefined;
}

/** A hook for `onSend` that compresses a text of more than 1 kB for callers who take that. Others do not wait. */
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
