import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { request as httpsRequest } from "node:https";

import { seconds } from "#server/time.ts";
import { isPublicAddress } from "./public-address.ts";

/** Resolves to all addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** The host has an address that is not public. */
export class ForbiddenAddressError extends Error {}

/** For everything, from resolving the host to the head of the answer. */
const timeoutMs = seconds(10);

/**
 * Posts to a URL that a member chose. The host is resolved once, all its addresses must be public, and the connection goes
 * to one of exactly these. Redirects are not followed, and of the answer only the status and the Retry-After header are read.
 */
export async function ssrfSafePost(
  endpoint: string,
  { headers, body }: { readonly headers: Record<string, string | number>; readonly body: Buffer },
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
    const request = httpsRequest(url, {
      method: "POST",
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
    // Without an error where the answer is another protocol.
    request.on("close", () => reject(new Error("closed")));
    request.on("response", ({ statusCode, headers: { "retry-after": retryAfter } }) => {
      resolve({ status: statusCode!, retryAfter });
      request.destroy();
    });
    request.end(body);
  });
}

/** The system's resolver. Its lookups use at most half of the threads, so one that hangs blocks nothing else. */
export const resolveBySystem: Resolve = (host) => lookup(host, { all: true });
