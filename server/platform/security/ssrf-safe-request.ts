import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";

import { request as requestHttp } from "#server/platform/node-http.ts";
import { seconds } from "#server/time.ts";
import { version } from "#server/version.ts";
import { isPublicAddress } from "./public-address.ts";

export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** The host has an address that is not on the public internet. */
export class ForbiddenAddressError extends Error {}

export class AnswerTooLargeError extends Error {}

const userAgent = `Stammtisch/${version}`;

/** From the start of the DNS lookup to the end of the response. */
const timeoutMs = seconds(10);

interface OutgoingRequest {
  readonly method?: "GET" | "POST" | "PUT";
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body?: Buffer;
  /** Limit of the body of a 2xx response, which is not read by default. */
  readonly maxAnswerBytes?: number;
}

/**
 * For a URL that a member or the operator chose. Resolves the host once, requires all its addresses to be public
 * (unless `allowPrivate`), and connects only to these. Follows no redirects.
 */
export async function ssrfSafeRequest(
  endpoint: string,
  { method = "POST", headers, body = Buffer.alloc(0), maxAnswerBytes = 0 }: OutgoingRequest,
  options: { readonly resolve: Resolve; readonly allowPrivate: boolean; readonly stop: AbortSignal },
): Promise<{ status: number; retryAfter: string | undefined; text: string }> {
  const signal = AbortSignal.any([options.stop, AbortSignal.timeout(timeoutMs)]);
  const url = new URL(endpoint);
  signal.throwIfAborted();
  const aborted = once(signal, "abort").then(() => Promise.reject(signal.reason as Error));
  // A URL encloses an IPv6 address in brackets, which the resolver does not know.
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const addresses = await Promise.race([options.resolve(host), aborted]);
  const areGood = addresses.every(({ address }) => options.allowPrivate || isPublicAddress(address));
  if (addresses.length === 0 || !areGood) throw new ForbiddenAddressError(host);

  return new Promise((resolve, reject) => {
    const send = url.protocol === "http:" ? requestHttp : requestHttps;
    const request = send(url, {
      method,
      headers: { "user-agent": userAgent, ...headers, "content-length": body.length },
      agent: false,
      signal,
      minVersion: "TLSv1.2",
      lookup: (_host, { all }, done) => {
        const [{ address, family }] = addresses as [LookupAddress];
        if (all) done(null, [...addresses]);
        else done(null, address, family);
      },
    });
    request.on("error", reject);
    // The socket closes without an error if the response switches to another protocol.
    const onClose = () => reject(new Error("closed"));
    request.on("close", onClose);
    request.on("response", (response) => {
      request.off("close", onClose);
      const { statusCode, headers: answered } = response;
      const status = statusCode!;
      const isRead = maxAnswerBytes > 0 && status >= 200 && status < 300;
      const reading = isRead ? readText(response, maxAnswerBytes) : Promise.resolve("");
      reading
        .then((text) => resolve({ status, retryAfter: answered["retry-after"], text }), reject)
        .finally(() => request.destroy());
    });
    request.end(body);
  });
}

async function readText(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new AnswerTooLargeError("answer too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Lookups use at most half of Node's thread pool, so a hanging lookup blocks no other work. */
export const resolveBySystem: Resolve = (host) => lookup(host, { all: true });
