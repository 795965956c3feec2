import type { IncomingHttpHeaders } from "node:http";

export type AllowedOrigins = ReturnType<typeof createAllowedOrigins>;

/**
 * Creates functions that check the Host and Origin headers of requests against the configuration.
 */
export function createAllowedOrigins(appUrl: URL, extraOrigins: readonly string[]) {
  const all = [appUrl.origin, ...extraOrigins];
  const hosts = new Set(all.map((origin) => new URL(origin).host));
  const isExtra = (origin: string | undefined) => origin !== undefined && extraOrigins.includes(origin);
  return {
    all,
    isExtra,
    /**
     * Returns the origin at which a client uses the app: the one in its Origin header, otherwise
     * the one whose host is in its Host header. Returns the origin of APP_URL if neither header is
     * allowed.
     */
    originOf({ origin, host }: IncomingHttpHeaders): string {
      if (origin !== undefined && all.includes(origin)) return origin;
      return all.find((one) => new URL(one).host === host?.toLowerCase()) ?? appUrl.origin;
    },
    isAllowedHost: (host: string | undefined) => host !== undefined && hosts.has(host.toLowerCase()),
    /**
     * Returns `true` if the Origin or Sec-Fetch-Site header names a foreign site. A request without
     * both headers does not come from a browser and is not cross-origin.
     */
    isCrossOrigin({ origin, "sec-fetch-site": site }: IncomingHttpHeaders): boolean {
      if (origin !== undefined && !all.includes(origin)) return true;
      return (site === "cross-site" || site === "same-site") && !isExtra(origin);
    },
  };
}
