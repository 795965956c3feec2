import { createHash } from "node:crypto";

import type { FastifyReply, FastifyRequest } from "fastify";

import type { Endpoint, ReplyInputOf } from "#contract/endpoint.ts";
import { coalesce } from "#server/platform/jobs/coalesce.ts";
import { compressors, type ContentEncoding, minCompressedBytes, negotiateEncoding } from "./compression.ts";

/** A JSON reply that is validated, encoded and compressed once for all clients. Browsers cache and revalidate it. */
export class SharedReply<Value = unknown> {
  readonly value: Value;
  readonly etag: string;
  readonly #json: string;
  readonly #compressed = new Map<ContentEncoding, Promise<Buffer>>();

  constructor(endpoint: Endpoint, value: Value) {
    this.value = value;
    this.#json = JSON.stringify(endpoint.reply?.parse(value));
    this.etag = `"${createHash("sha256").update(this.#json).digest("base64url").slice(0, 22)}"`;
  }

  /** Sets the headers for this client, and returns the body. */
  async encodeFor({ headers }: FastifyRequest, reply: FastifyReply): Promise<Buffer | string> {
    reply
      .header("cache-control", "private, no-cache")
      .header("etag", this.etag)
      .type("application/json; charset=utf-8");
    if (headers["if-none-match"] === this.etag) {
      reply.code(304);
      return "";
    }
    const encoding = negotiateEncoding(headers["accept-encoding"]);
    if (encoding === null || Buffer.byteLength(this.#json) <= minCompressedBytes) return this.#json;
    const compressed = this.#compressed.get(encoding) ?? compressors[encoding](this.#json);
    this.#compressed.set(encoding, compressed);
    reply.header("content-encoding", encoding);
    return compressed;
  }
}

/**
 * Reads the data again only if their version has changed. `findVersion` must change with every change of the data.
 * Concurrent calls share a read.
 */
export function shareByVersion<E extends Endpoint>(
  endpoint: E,
  findVersion: () => Promise<string>,
  read: () => Promise<ReplyInputOf<E>>,
): () => Promise<SharedReply<ReplyInputOf<E>>> {
  return keepByVersion(findVersion, async () => new SharedReply(endpoint, await read()));
}

/** Keeps the result of `read` like `shareByVersion`, without encoding it. */
export function keepByVersion<Value>(
  findVersion: () => Promise<string>,
  read: () => Promise<Value>,
): () => Promise<Value> {
  let last: { version: string; value: Value } | null = null;
  return coalesce(async () => {
    const version = await findVersion();
    if (last?.version !== version) last = { version, value: await read() };
    return last.value;
  });
}
