import { lookup as lookUp, type LookupAddress } from "node:dns";
import { request as httpsRequest } from "node:https";

import { seconds } from "#server/time.ts";

import { isPublicAddress } from "./public-address.ts";

/** Resolves to all addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** The host has an address that is not public. */
export class ForbiddenAddressError extends Error {}

export interface PushAnswer {
  readonly status: number;
  /** The Retry-After header as received. */
  readonly retryAfter: string | undefined;
}

/** For everything, from resolving the host to the last byte. */
const timeoutMs = seconds(10);
const maxAnswerBytes = 64 * 1024;

/**
 * Posts to a URL that a member chose. The host is resolved once, all its addresses must be public, and the connection goes
 * to one of exactly these. Redirects are not followed, and the body of the answer is ignored.
 */
export async function ssrfSafePost(
  endpoint: string,
  { headers, body }: { readonly headers: Record<string, string | number>; readonly body: Buffer },
  options: { readonly resolve: Resolve; readonly allowPrivate: boolean; readonly stop: AbortSignal },
): Promise<PushAnswer> {
  const signal = AbortSignal.any([options.stop, AbortSignal.timeout(timeoutMs)]);
  const url = new URL(endpoint);
  const addresses = await rejectOnAbort(options.resolve(url.hostname), signal);
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
    request.once("error", reject);
    request.on("response", (response) => {
      // From here on the answer is known, whatever happens to its body.
      request.off("error", reject).on("error", () => {});
      const answer = { status: response.statusCode!, retryAfter: response.headers["retry-after"] };
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxAnswerBytes) request.destroy();
      });
      response.on("error", () => {});
      response.on("close", () => resolve(answer));
    });
    request.end(body);
  });
}

/** The system's resolver. Its lookups use at most half of the threads, so one that hangs blocks nothing else. */
export const resolveBySystem: Resolve = (host) =>
  new Promise((resolve, reject) => {
    lookUp(host, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });

function rejectOnAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const give = (): void => reject(signal.reason as Error);
    if (signal.aborted) give();
    signal.addEventListener("abort", give, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", give));
  });
}
