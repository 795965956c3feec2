import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { request as requestHttps } from "node:https";

import { request as requestHttp } from "#server/platform/node-http.ts";
import { seconds } from "#server/time.ts";
import { isPublicAddress } from "./public-address.ts";

/** A DNS lookup that resolves to all IP addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** Thrown if a host has an address that is not on the public internet. */
export class ForbiddenAddressError extends Error {}

/** Maximum milliseconds from the start of the DNS lookup to the response headers. */
const timeoutMs = seconds(10);

interface OutgoingRequest {
  readonly method?: "POST" | "PUT";
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Buffer;
}

/**
 * Sends a request to a URL that a member chose, protected against SSRF. Resolves the host once,
 * requires all its addresses to be public, and connects only to these addresses. Follows no
 * redirects, and reads only the status and the Retry-After header.
 */
export async function ssrfSafeRequest(
  endpoint: string,
  { method = "POST", headers, body }: OutgoingRequest,
  options: { readonly resolve: Resolve; readonly allowPrivate: boolean; readonly stop: AbortSignal },
): Promise<{ status: number; retryAfter: string | undefined }> {
  const signal = AbortSignal.any([options.stop, AbortSignal.timeout(timeoutMs)]);
  const url = new URL(endpoint);
  signal.throwIfAborted();
  const aborted = once(signal, "abort").then(() => Promise.reject(signal.reason as Error));
  const addresses = await Promise.race([options.resolve(url.hostname), aborted]);
  const areGood = addresses.every(({ address }) => options.allowPrivate || isPublicAddress(address));
  if (addresses.length === 0 || !areGood) throw new ForbiddenAddressError(url.hostname);

  return new Promise((resolve, reject) => {
    const send = url.protocol === "http:" ? requestHttp : requestHttps;
    const request = send(url, {
      method,
      headers: { ...headers, "content-length": body.length },
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
    request.on("close", () => reject(new Error("closed")));
    request.on("response", ({ statusCode, headers: { "retry-after": retryAfter } }) => {
      resolve({ status: statusCode!, retryAfter });
      request.destroy();
    });
    request.end(body);
  });
}

/**
 * Looks up a host name with the system's resolver. Lookups use at most half of Node's thread pool,
 * so a hanging lookup blocks no other work.
 */
export const resolveBySystem: Resolve = (host) => lookup(host, { all: true });
