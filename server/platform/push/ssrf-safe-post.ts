import { lookup as lookUp, type LookupAddress } from "node:dns";
import { request as httpsRequest } from "node:https";

import { isPublicAddress } from "./public-address.ts";

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** The name leads to an address that a stranger's wish must never take us to. */
export class ForbiddenAddressError extends Error {}

export interface PushAnswer {
  readonly status: number;
  /** The Retry-After header as it came. */
  readonly retryAfter: string | undefined;
}

/** From the name to the last byte. */
const timeoutMs = 10_000;
const maxAnswerBytes = 64 * 1024;

/**
 * Posts to an address that somebody else chose. The name is resolved once, every address it has must be public, and the
 * connection goes to one of exactly these; redirects are an answer like any other, and of the answer only its head counts.
 */
export async function ssrfSafePost(
  endpoint: string,
  { headers, body }: { readonly headers: Record<string, string | number>; readonly body: Buffer },
  options: { readonly resolve: Resolve; readonly mayBePrivate: boolean; readonly stop: AbortSignal },
): Promise<PushAnswer> {
  const signal = AbortSignal.any([options.stop, AbortSignal.timeout(timeoutMs)]);
  const url = new URL(endpoint);
  const addresses = await rejectOnAbort(options.resolve(url.hostname), signal);
  const areGood = addresses.every(({ address }) => options.mayBePrivate || isPublicAddress(address));
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
      // Whatever becomes of the rest, the answer is known.
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

/** The system's own resolver. Its lookups never hold more than half of the threads, so a dead one stops nothing else. */
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
