import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";

import { request as requestHttp } from "#server/platform/node-http.ts";
import { seconds } from "#server/time.ts";
import { version } from "#server/version.ts";
import { isPublicAddress } from "./public-address.ts";

/** A DNS lookup that resolves to all IP addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** Thrown if a host has an address that is not on the public internet. */
export class ForbiddenAddressError extends Error {}

/** Thrown if the body of a response is longer than `maxAnswerBytes`. */
export class AnswerTooLargeError extends Error {}

const userAgent = `Stammtisch/${version}`;

/** Maximum milliseconds from the start of the DNS lookup to the end of the response. */
const timeoutMs = seconds(10);

interface OutgoingRequest {
  readonly method?: "GET" | "POST" | "PUT";
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body?: Buffer;
  /** Maximum bytes of the body of a 2xx response. Default: 0; the body is then not read. */
  readonly maxAnswerBytes?: number;
}

/**
 * Sends a request to a URL that a member or the operator chose, protected against SSRF. Resolves
 * the host once, requires all its addresses to be public (unless `allowPrivate` is set), and
 * connects only to these addresses. Follows no redirects. Reads the status, the Retry-After header,
 * and up to `maxAnswerBytes` of the body of a 2xx response.
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
    // Rejects if the socket closes without an error, which happens if the response switches to
    // another protocol.
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

/** Returns the body of a response; rejects if it is longer than `maxBytes`. */
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

/**
 * Looks up a host name with the system's resolver. Lookups use at most half of Node's thread pool,
 * so a hanging lookup blocks no other work.
 */
export const resolveBySystem: Resolve = (host) => lookup(host, { all: true });
