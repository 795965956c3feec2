import type { Endpoint, ReplyOf } from "#contract/endpoint.ts";
import { ApiError, type CallOptions, callWithHeaders } from "./api.ts";

/** The last reply of each call, by path and query. */
const replies = new Map<string, { readonly etag: string; readonly reply: unknown }>();

/**
 * Calls an endpoint whose reply has an ETag. The server sends no body if the reply is the one that
 * this page received last.
 */
export async function callConditionally<E extends Endpoint>(endpoint: E, options: CallOptions<E>): Promise<ReplyOf<E>> {
  const key = `${endpoint.path} ${JSON.stringify(options.query)}`;
  const known = replies.get(key);
  try {
    const condition = known && { headers: { "If-None-Match": known.etag } };
    const { reply, headers } = await callWithHeaders(endpoint, { ...options, ...condition });
    const etag = headers.get("etag");
    if (etag !== null) replies.set(key, { etag, reply });
    return reply;
  } catch (error) {
    if (known && error instanceof ApiError && error.status === 304) return known.reply as ReplyOf<E>;
    throw error;
  }
}
